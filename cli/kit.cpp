#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/inputs.h"
#include "corpus/store.h"
#include "probes/json_fields.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "reports/model/model_report.h"
#include "reports/placements/placements_report.h"
#include "uses/kit/golden.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct KitArguments {
  std::string source;
  std::string device;
  std::string out;
  std::uint64_t seed = 1;
};

/// Tables have no quotes.
void expect_plain(const std::string& name, const RecordingSet& set) {
  if (name.find_first_of(",\n\r") == std::string::npos) return;
  throw an_error("{}: {} has a comma in its name, which a table cannot hold; rename it", set.source,
                 in_quotes(name));
}

/// What a simulator is to do like it, in each of the forms: files of that place in the kit.
void add_golden(const RecordingSet& set, const fs::path& place, FilesOfFolder& files) {
  for (const Recording& recording : set.recordings) {
    expect_plain(recording.name(), set);
    for (const Kernel& kernel : recording.probe.kernels) expect_plain(kernel.name, set);
    for (const TraceFile& file : accel_sim_traces(recording.probe, set.device)) {
      files[place / "accel-sim" / file.path] = file.text;
    }
  }
  files[place / "golden.jsonl"] = recording_lines(set);
  files[place / "placements.csv"] = placements_csv(set);
  files[place / "accel-sim/gpgpusim.config"] = gpgpusim_config(set.device);
}

std::string add_model_kit(const KitArguments& arguments, FilesOfFolder& files) {
  const Device device = device_of_model(arguments.source, arguments.device);
  const Hypothesis model = read_hypothesis(arguments.source, device);
  Golden golden = golden_probes(device, model, arguments.seed);
  golden.set.source = "predicted by " + describe(canonical(model));
  add_golden(golden.set, {}, files);
  files["model.json"] = json_text(model_facts(device, model), 2) + '\n';
  return fmt::format(
      "{}: {}, which tell {} of {} other hypotheses from the model, {}\n", arguments.out,
      counted(golden.set.recordings.size(), "probe"), golden.told_apart, golden.rivals.size(),
      golden.told_once == 0 ? "each by two or more"
                            : fmt::format("{} of them by one probe alone", golden.told_once));
}

/// A recursive_directory_iterator would not name the folder that cannot be read.
void find_recordings(const fs::path& folder, std::vector<fs::path>& files) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) find_recordings(entry.path(), files);
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
}

/// A kit for each file of recordings in the folder, in a folder called after its place.
std::string add_corpus_kits(const KitArguments& arguments, FilesOfFolder& files) {
  std::vector<fs::path> recorded;
  find_recordings(arguments.source, recorded);
  if (recorded.empty()) throw Error(arguments.source + ": holds no recordings (*.jsonl)");
  std::ranges::sort(recorded);
  std::string text;
  for (const fs::path& file : recorded) {
    const RecordingSet set = read_recordings(file.string());
    if (!std::ranges::all_of(set.recordings, &Recording::fresh)) {
      throw Error(file.string() +
                  ": its recordings go on from each other, and no simulator can be brought there; "
                  "leave it out");
    }
    const fs::path place = fs::relative(file, arguments.source).replace_extension();
    add_golden(set, place, files);
    text += fmt::format("{}: {}\n", (fs::path(arguments.out) / place).string(),
                        counted(set.recordings.size(), "probe"));
  }
  return text;
}

int write_kit(const KitArguments& arguments, Terminal& terminal) {
  if (fs::exists(arguments.out)) throw Error(arguments.out + ": is there already; name another");
  FilesOfFolder files;
  const std::string said = fs::is_directory(arguments.source) ? add_corpus_kits(arguments, files)
                                                              : add_model_kit(arguments, files);
  write_folder(arguments.out, files);
  terminal.print(said);
  return exit_done;
}

void declare_kit(Options& options, KitArguments& arguments) {
  options.add("MODEL|FOLDER", arguments.source, "A model, or a folder of recordings");
  options.device(arguments.device, "; if not the model file's own");
  options.add("--out DIR", arguments.out, "The folder to make")->required();
  options.seed(arguments.seed);
}

}  // namespace

Command kit_command() {
  return {"kit",
          "Golden placements for simulators of a GPU",
          R"(Writes what a simulator of the GPU has to do:
  golden.jsonl    probes and where their blocks go, in the format of recordings
  placements.csv  the same, a line for each block
  accel-sim/      the probes' launches as traces, with options of gpgpusim.config
  model.json      the model
Of a model: random probes, as many as tell it from everything that differs in one axis, and
from what has a name. Of a folder: what is recorded there, a kit for each file.
`cuvier score` says what a simulator makes of it. More: docs/howto/score.md.)",
          R"(  cuvier kit rtx3090-as-recorded --device rtx3090 --out kit
  cuvier kit corpus --out kits)",
          {},
          with(declare_kit, write_kit)};
}

}  // namespace cuvier
