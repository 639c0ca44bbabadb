#include <fmt/format.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "corpus/imports/imports.h"
#include "corpus/store.h"
#include "hypotheses/devices.h"
#include "probes/error.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

struct ImportArguments {
  std::vector<std::string> files;
  std::string device;
  std::string out;
  Launched launched;
};

bool is_table(const std::string& path) { return path.ends_with(".csv"); }

std::vector<Imported> import_files(const ImportArguments& arguments, const Device& device) {
  if (std::ranges::none_of(arguments.files, is_table)) {
    return {import_examiner_logs(arguments.files, device, arguments.launched.registers)};
  }
  if (arguments.launched.threads == 0) throw Error("a table needs --threads: of each block");
  std::vector<Imported> all;
  for (const std::string& file : arguments.files) {
    if (!is_table(file)) throw Error(file + ": import tables (.csv) and logs one after the other");
    for (Recording& recording : import_placements(file, device, arguments.launched)) {
      all.push_back({std::move(recording), {}});
    }
  }
  return all;
}

int import_recordings(const ImportArguments& arguments, Terminal& terminal) {
  expect_each_once(arguments.files);
  const Device device = find_device(arguments.device);
  const std::vector<Imported> all = import_files(arguments, device);
  RecordingSet set{fmt::format("imported from {}", fmt::join(arguments.files, ", ")), device, {}};
  std::vector<std::optional<int>> exact_steps;
  std::string told;
  int facts = 0;
  for (const auto& [recording, exact] : all) {
    if (exact) {
      told += fmt::format(
          "{}: of {} the first {} count: then several blocks leave while others wait\n",
          recording.name(), counted(std::ssize(recording.probe.script), "step"), *exact);
    }
    recording_from_json(to_json(recording), device, recording.where);  // whether it can be read
    set.recordings.push_back(recording);
    exact_steps.push_back(exact);
    facts += static_cast<int>(recording.facts.size());
  }
  write_file(arguments.out, recording_lines(set, exact_steps));
  terminal.print("{}{} with {} in {}; `cuvier check {}` says which hypotheses explain them\n", told,
                 counted(all.size(), "recording"), counted(facts, "fact"), arguments.out,
                 arguments.out);
  return exit_done;
}

void declare_import(Options& options, ImportArguments& arguments) {
  Launched& launched = arguments.launched;
  options.add("FILE", arguments.files, "What another tool recorded");
  options.device(arguments.device)->required();
  options
      .number("--registers R", launched.registers, 1, largest_number,
              "Per thread, of every kernel: neither kind of file tells")
      ->required();
  options.number("--threads T", launched.threads, 1, largest_number, "Of a table: in each block");
  options.number("--shared BYTES", launched.shared, 0, largest_number,
                 "Of a table: dynamic shared memory of each block, bytes");
  options.number("--blocks-per-sm N", launched.blocks_per_sm, 1, largest_number,
                 "Of a table: how many an SM holds at once; without it, all were resident at once");
  options.output("--out OUT.jsonl", arguments.out, "Write the recordings to this file")->required();
}

}  // namespace

Command import_command() {
  return {"import",
          "Recordings from what other tools have recorded",
          R"(FILE is one of:
  a table (.csv) with a line for each block: columns block and sm (or block_id, sm_id), and
      perhaps kernel and cluster_size. Each kernel and cluster size is a launch on an idle
      device. With --blocks-per-sm only the blocks that found room at once are recorded.
  logs (JSON) of cuda_scheduling_examiner, one for each stream of a scenario: launches and
      the ends of blocks become the script, starts become what was seen. Where the times do
      not tell which of these let a block start, the import is refused and says so.)",
          R"(  cuvier import placements.csv --device b200 --threads 256 --registers 32 \
    --shared 232448 --blocks-per-sm 1 --out mine.jsonl
  cuvier import stream1.json stream2.json --device k5000.json --registers 32 \
    --out mine.jsonl)",
          {},
          with(declare_import, import_recordings)};
}

}  // namespace cuvier
