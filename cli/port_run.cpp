#include "cli/port_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/inputs.h"
#include "corpus/store.h"
#include "hypotheses/devices.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "probes/oracles/forwarded_oracle.h"
#include "reports/document/json_text.h"
#include "reports/document/write_file.h"
#include "solver/check/oracle_check.h"
#include "solver/space/sessions.h"

namespace cuvier {

namespace fs = std::filesystem;

PortRun::PortRun(const PortOf& of, bool as_checked, Terminal& terminal)
    : of_(of), folder_(of.out), terminal_(terminal) {
  const auto oracle = open_live_oracle(of.oracle, of.inference.seed);
  port.oracle = oracle->description();
  port.device = oracle->device();
  if (as_checked && fs::exists(in_folder("device.json"))) {
    port.device = find_device(in_folder("device.json"));
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

void PortRun::keep_device() const {
  write_file(in_folder("device.json"), json_text(to_json(port.device), 2) + '\n');
}

std::string PortRun::check() {
  Journal journal(unused("check"), port.device, port.oracle);
  port.check = check_oracle(*opened(), journal, of_.inference.seed, terminal_.task());
  terminal_.print(shown(oracle_check_page(*port.check)));
  port.device = corrected(port.device, port.check->corrections);
  if (!port.check->good()) {
    terminal_.print(fmt::format(
        "  not all is as it should be: the next stages rest on device.json {}, and on these "
        "answers all the same\n",
        port.check->corrections.empty() ? "as it is" : "with what was corrected"));
  }
  return journal.path();
}

const Finding& PortRun::infer(Finding (*by)(Oracle&, const InferenceRun&, Terminal&)) {
  port.finding = infer_in(port.folder, by);
  const std::vector<OtherMap>& maps = port.finding->maps;
  if (maps.size() == 1 && maps.front().settled()) {
    port.device = maps.front().device;
    port.folder = "inference-by-map";
    keep_device();
    terminal_.print(fmt::format(
        "\nof all maps that were tried, {} leave this one: it is in device.json now, and "
        "the inference goes on with it in {}\n",
        maps.front().clusters > 0 ? "clusters" : "carve-outs", in_folder(port.folder)));
    take_over("inference", port.folder);
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
