#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/number_argument.h"
#include "cli/standard_output.h"
#include "corpus/imports/examiner_logs.h"
#include "corpus/imports/placement_table.h"
#include "hypotheses/devices.h"
#include "probes/error.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::string device;
  std::string out;
  Launched launched;
};

bool is_table(const std::string& path) { return path.ends_with(".csv"); }

std::vector<Imported> import_files(const Arguments& arguments, const Device& device) {
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

int import_recordings(const Arguments& arguments) {
  expect_writable(arguments.out);
  const Device device = find_device(arguments.device);
  const std::vector<Imported> all = import_files(arguments, device);
  std::string lines =
      Json{{"type", "device"},
           {"source", fmt::format("imported from {}", fmt::join(arguments.files, ", "))},
           {"device", to_json(device)}}
          .dump() +
      '\n';
  std::string told;
  int facts = 0;
  for (const auto& [recording, exact] : all) {
    Json line = to_json(recording);
    if (exact) {
      line["exact"] = *exact;
      told += fmt::format(
          "{}: of {} the first {} count: then several blocks leave while others wait\n",
          recording.name(), counted(std::ssize(recording.probe.script), "step"), *exact);
    }
    recording_from_json(line, device, recording.where);  // whether it can be read
    lines += line.dump() + '\n';
    facts += static_cast<int>(recording.facts.size());
  }
  write_file(arguments.out, lines);
  print(fmt::format("{}{} with {} in {}; `cuvier check {}` says which hypotheses explain them\n",
                    told, counted(all.size(), "recording"), counted(facts, "fact"), arguments.out,
                    arguments.out));
  return exit_done;
}

}  // namespace

Run declare_import(CLI::App& app) {
  app.footer(
      "FILE is one of:\n"
      "  a table (.csv) with a line for each block: columns block and sm (or block_id, sm_id), "
      "and\n"
      "      perhaps kernel and cluster_size. Each kernel and cluster size is a launch on an idle\n"
      "      device. With --blocks-per-sm only the blocks that found room at once are recorded.\n"
      "  logs (JSON) of cuda_scheduling_examiner, one for each stream of a scenario: launches and\n"
      "      the ends of blocks become the script, starts become what was seen. Where the times "
      "do\n"
      "      not tell which of these let a block start, the import is refused and says so.\n"
      "\n"
      "Examples:\n"
      "  cuvier import placements.csv --device b200 --threads 256 --registers 32 \\\n"
      "    --shared 232448 --blocks-per-sm 1 --out mine.jsonl\n"
      "  cuvier import stream1.json stream2.json --device k5000.json --registers 32 \\\n"
      "    --out mine.jsonl\n"
      "\n"
      "Exit codes: 0 done, 2 bad usage or input, or output that cannot be written");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("FILE", arguments->files, "What another tool recorded")->required()->type_name("");
  app.add_option("--device", arguments->device,
                 "Where: a name that `cuvier devices` lists, or a .json file")
      ->required()
      ->type_name("DEVICE");
  app.add_option("--registers", arguments->launched.registers,
                 "Per thread, of every kernel: neither kind of file tells")
      ->required()
      ->type_name("R")
      ->check(whole_number(1, largest_number));
  app.add_option("--threads", arguments->launched.threads, "Of a table: in each block")
      ->type_name("T")
      ->check(whole_number(1, largest_number));
  app.add_option("--shared", arguments->launched.shared,
                 "Of a table: dynamic shared memory of each block, bytes")
      ->type_name("BYTES")
      ->check(whole_number(0, largest_number));
  app.add_option("--blocks-per-sm", arguments->launched.blocks_per_sm,
                 "Of a table: how many an SM holds at once; without it, all were resident at once")
      ->type_name("N")
      ->check(whole_number(1, largest_number));
  app.add_option("--out", arguments->out, "Write the recordings to this file")
      ->required()
      ->type_name("OUT.jsonl");
  return [arguments] { return import_recordings(*arguments); };
}

}  // namespace cuvier
