#include "cli/port_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "cli/inputs.h"
#include "corpus/store.h"
#include "hypotheses/devices.h"
#include "probes/an_error.h"
#include "probes/device_json.h"
#include "probes/fact_format.h"
#include "probes/json_fields.h"
#include "probes/oracles/forwarded_oracle.h"
#include "reports/document/write_file.h"
#include "solver/check/oracle_check.h"
#include "solver/space/sessions.h"

namespace cuvier {

namespace fs = std::filesystem;

namespace {

/// By its name: other facts may have been corrected.
void expect_same_gpu(const std::string& file, const Device& there, const Device& here) {
  if (there.name == here.name) return;
  throw an_error("{}: is of another GPU: name is {} there and {} here; name another folder", file,
                 in_quotes(there.name), in_quotes(here.name));
}

}  // namespace

PortRun::PortRun(const PortOf& of, bool as_checked, Terminal& terminal)
    : of_(of), folder_(of.out), terminal_(terminal) {
  const auto oracle = open_live_oracle(of.oracle, of.inference.seed);
  port.oracle = oracle->description();
  port.device = oracle->device();
  const std::string checked = in_folder("device.json");
  if (as_checked && fs::exists(checked)) {
    port.device = find_device(checked);
    expect_same_gpu(checked, port.device, oracle->device());
    const auto by_map = asked_in("inference-by-map");
    if (by_map && by_map->device == port.device) port.folder = "inference-by-map";
  }
  if (const auto asked = asked_in(port.folder)) {
    const std::string journal = in_folder(port.folder + "/journal.jsonl");
    expect_same_gpu(journal, asked->device, oracle->device());
    expect_same_simulator(journal, asked->source, port.oracle);
    if (as_checked && asked->device != port.device) {
      throw an_error(
          "{}: {}; put back the device that the journal begins with, or name another folder",
          checked, first_difference(asked->device, port.device, "in " + journal));
    }
  }
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
}

std::unique_ptr<Oracle> PortRun::opened() const {
  return std::make_unique<CorrectedOracle>(open_oracle(of_.oracle, of_.inference.seed),
                                           port.device);
}

std::string PortRun::unused(const std::string& name) const {
  std::string folder = name;
  for (int n = 2; fs::exists(folder_ / folder); ++n) folder = fmt::format("{}-{}", name, n);
  return in_folder(folder);
}

/// By its first line: the last may be cut off. None where nothing is there yet.
std::optional<RecordingSet> PortRun::asked_in(const std::string& folder) const {
  const std::string path = in_folder(folder + "/journal.jsonl");
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || file.eof()) return std::nullopt;
  return recordings_from_text(line, path);
}

void PortRun::keep_device() const { write_json(in_folder("device.json"), to_json(port.device), 2); }

std::string PortRun::check() {
  Journal journal(unused("check"), port.device, port.oracle);
  port.check = check_oracle(*opened(), journal, of_.inference.seed, terminal_.task());
  terminal_.print(shown(oracle_check_page(*port.check)));
  port.device = corrected(port.device, port.check->corrections);
  const auto asked = asked_in("inference");
  if (asked && asked->device != port.device) {
    const std::string before = in_folder("inference/journal.jsonl");
    throw an_error("{}: is of another device: {}; name another folder", before,
                   first_difference(asked->device, port.device, "in " + before));
  }
  if (!port.check->good()) {
    terminal_.print(
        "  not all is as it should be: the next stages rest on device.json {}, and on these "
        "answers all the same\n",
        port.check->corrections.empty() ? "as it is" : "with what was corrected");
  }
  return journal.path();
}

const Finding& PortRun::infer(Finding (*by)(Oracle&, const InferenceRun&, Terminal&)) {
  port.finding = infer_in(port.folder, by);
  const std::vector<OtherMap>& maps = port.finding->maps;
  if (port.folder == "inference" && maps.size() == 1 && maps.front().settled()) {
    port.device = maps.front().device;
    port.folder = "inference-by-map";
    take_over("inference", port.folder);
    keep_device();
    terminal_.print(
        "\nof all maps that were tried, {} leave this one: it is in device.json now, and "
        "the inference goes on with it in {}\n",
        maps.front().clusters > 0 ? "clusters" : "carve-outs", in_folder(port.folder));
    port.finding = infer_in(port.folder, by);
  }
  return *port.finding;
}

Finding PortRun::infer_in(const std::string& folder,
                          Finding (*by)(Oracle&, const InferenceRun&, Terminal&)) {
  const InferenceRun run{in_folder(folder), read_assumptions(of_.assumptions, port.device),
                         of_.inference, true};
  return by(*opened(), run, terminal_);
}

void PortRun::take_over(const std::string& from, const std::string& to) const {
  Journal journal(in_folder(to), port.device, port.oracle);
  if (!journal.recorded().recordings.empty()) return;
  const bool once = of_.inference.repeat == 1;  // then an answer is as good as several
  const std::vector<Session> sessions =
      sessions_of({read_recordings((folder_ / from / "journal.jsonl").string())});
  for (auto session = sessions.begin(); session != sessions.end(); ++session) {
    // What goes on behind a question is an answer behind it alone: all of a session, or nothing.
    const auto begins_alike = [&](const Session& other) {
      return same_question(session->front().probe, other.front().probe);
    };
    if (once && std::any_of(sessions.begin(), session, begins_alike)) continue;
    for (const Recording& recording : *session) journal.append(recording);
  }
}

}  // namespace cuvier
