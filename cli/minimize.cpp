#include <chrono>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "corpus/store.h"
#include "hypotheses/devices.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/json_text.h"
#include "reports/document/write_file.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/minimise.h"

namespace cuvier {
namespace {

struct MinimizeArguments {
  std::string file;
  std::vector<std::string> between;
  std::string device;
  std::string refuted;
  std::string out;
  MinimiseOptions options;
  bool json = false;
};

int minimize_probe(const MinimizeArguments& arguments, Terminal& terminal) {
  const Device device = find_device(arguments.device);
  const Hypothesis a = read_hypothesis(arguments.between[0], device);
  const Hypothesis b = read_hypothesis(arguments.between[1], device);
  const Probe probe = read_probe(arguments.file, device);
  if (!distinction_by(probe, device, a, b)) {
    throw an_error(
        "{}: {} and {} predict the same for it; name two that differ on it "
        "(cuvier distinguish finds a probe for two)",
        arguments.file, arguments.between[0], arguments.between[1]);
  }
  const auto start = std::chrono::steady_clock::now();
  MinimiseOptions options = arguments.options;
  options.most_blocks = size_of(probe).blocks;
  options.task = terminal.task();
  const Minimised minimised = minimise_between(probe, device, a, b, options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const Comparison comparison{Comparison::Kind::different,
                              distinction_by(minimised.probe, device, a, b),
                              {},
                              {},
                              took.count()};
  if (arguments.json) {
    terminal.print_json(minimised_json(minimised, probe), 2);
  } else {
    Page page = comparison_page(comparison, device, a, b, smallness_section(minimised, probe));
    page.about = page.verdict + "\n" + page.about;
    page.verdict = minimised.cut_short.empty()
                       ? std::string(one_minimal_words)
                       : minimised.cut_short +
                             ": what is below still tells A from B, but may not be the smallest";
    terminal.print(shown(page));
    if (arguments.out.empty()) terminal.print('\n' + json_text(to_json(minimised.probe)) + '\n');
  }
  if (!arguments.out.empty()) write_json(arguments.out, to_json(minimised.probe), 2);
  return minimised.cut_short.empty() ? exit_done : exit_ambiguous;
}

int minimize_recordings(const MinimizeArguments& arguments, Terminal& terminal) {
  const RecordingSet set = read_recordings(arguments.file);
  const Hypothesis hypothesis = read_hypothesis(arguments.refuted, set.device);
  std::optional<Refutation> refutation;
  try {
    refutation = smallest_refutation(set, hypothesis, terminal.task());
  } catch (const Stopped& cut_short) {
    complain("{}: so far nothing in {} contradicts {}", cut_short.why, arguments.file,
             arguments.refuted);
    return exit_ambiguous;
  }
  if (!refutation) {
    throw an_error("{}: does not refute {}: it explains every fact", arguments.file,
                   arguments.refuted);
  }
  terminal.tell(arguments.json, refutation_json(*refutation), refutation_page(*refutation), 2);
  if (!arguments.out.empty()) write_file(arguments.out, recording_lines(refutation->set));
  return refutation->cut_short.empty() ? exit_done : exit_ambiguous;
}

int minimize(const MinimizeArguments& arguments, Terminal& terminal) {
  if (!arguments.refuted.empty()) return minimize_recordings(arguments, terminal);
  if (arguments.between.empty()) {
    throw Error("minimize needs --between A B or --refutes MODEL (see cuvier minimize --help)");
  }
  if (arguments.device.empty()) {
    throw Error("--between needs --device: the device to predict for (see cuvier devices)");
  }
  return minimize_probe(arguments, terminal);
}

void declare_minimize(Options& options, MinimizeArguments& arguments) {
  options.add("FILE", arguments.file, "The probe; with --refutes the recordings");
  CLI::Option* const between =
      options.add("--between A B", arguments.between, "Keep that the probe tells A from B")
          ->expected(2);
  CLI::Option* const device = options.device(arguments.device);
  options.add("--refutes MODEL", arguments.refuted, "Keep that the recordings contradict this")
      ->excludes(between)
      ->excludes(device);
  options.output("--out OUT", arguments.out, "Write the probe, or the recordings, to this file");
  options.seed(arguments.options.seed);
  options.json(arguments.json);
  options.progress();
}

}  // namespace

Command minimize_command() {
  return {"minimize",
          "The smallest probe that still tells two hypotheses apart",
          R"(With --between, finds a probe that still tells A from B and is as small as can be: in
kernels, then actions, then blocks, then what the kernels demand. It is 1-minimal: no part
can be left out by itself, and no number be lowered by itself. A smaller one that differs
in more may be left.
With --refutes, finds the fewest recordings and facts of a file that contradict a
hypothesis. What ran before in the same session stays: it may have left state behind.
A and B are MODELs, too. Ctrl-C ends either with the smallest so far.)",
          R"(  cuvier minimize probe.json --between algorithm-1 round-robin --device rtx3090
  cuvier minimize probe.json --between model.json queue=skip_ahead --device h200 \
    --out small.json
  cuvier minimize mine.jsonl --refutes algorithm-1-as-printed --out clash.jsonl)",
          {{exit_ambiguous, "Ctrl-C ended it early"}},
          with(declare_minimize, minimize)};
}

}  // namespace cuvier
