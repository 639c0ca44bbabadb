#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/hypothesis_argument.h"
#include "cli/number_argument.h"
#include "cli/probe_file.h"
#include "cli/progress.h"
#include "cli/shown.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "hypotheses/devices.h"
#include "reports/comparison/comparison_report.h"
#include "reports/comparison/minimised_report.h"
#include "reports/document/write_file.h"
#include "solver/ending/cut_short.h"
#include "solver/minimise/minimise.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> between;
  std::string device;
  std::string refuted;
  std::string out;
  MinimiseOptions options;
  bool json = false;
};

int minimize_probe(const Arguments& arguments) {
  const Device device = find_device(arguments.device);
  const Hypothesis a = read_hypothesis(arguments.between[0], device);
  const Hypothesis b = read_hypothesis(arguments.between[1], device);
  const Probe probe = read_probe(arguments.file, device);
  if (!distinction_by(probe, device, a, b)) {
    throw Error(
        fmt::format("{}: {} and {} predict the same for it; name two that differ on it "
                    "(cuvier distinguish finds a probe for two)",
                    arguments.file, arguments.between[0], arguments.between[1]));
  }
  const auto start = std::chrono::steady_clock::now();
  Terminal terminal;
  MinimiseOptions options = arguments.options;
  options.most_blocks = size_of(probe).blocks;
  options.doing = limited_progress(terminal);
  const Minimised minimised = minimise_between(probe, device, a, b, options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const Comparison comparison{Comparison::Kind::different,
                              distinction_by(minimised.probe, device, a, b),
                              {},
                              {},
                              took.count()};
  if (arguments.json) {
    terminal.print(minimised_json(minimised, probe).dump(2) + '\n');
  } else {
    Page page = comparison_page(comparison, device, a, b, smallness_section(minimised, probe));
    page.title = page.verdict;
    page.verdict =
        fmt::format("{}: {}", minimised.probe.name,
                    minimised.cut_short.empty()
                        ? std::string(one_minimal_words)
                        : minimised.cut_short +
                              ": what is below still tells A from B, but may not be the smallest");
    terminal.print(shown(page));
    if (arguments.out.empty()) terminal.print('\n' + to_json(minimised.probe).dump() + '\n');
  }
  if (!arguments.out.empty()) write_file(arguments.out, to_json(minimised.probe).dump(2) + '\n');
  return minimised.cut_short.empty() ? exit_done : exit_ambiguous;
}

int minimize_recordings(const Arguments& arguments) {
  const RecordingSet set = read_recordings(arguments.file);
  const Hypothesis hypothesis = read_hypothesis(arguments.refuted, set.device);
  Terminal terminal;
  std::optional<Refutation> refutation;
  try {
    refutation = smallest_refutation(set, hypothesis, limited_progress(terminal));
  } catch (const CutShort& cut_short) {
    complain(fmt::format("{}: so far nothing in {} contradicts {}", cut_short.why, arguments.file,
                         arguments.refuted));
    return exit_ambiguous;
  }
  if (!refutation) {
    throw Error(fmt::format("{}: does not refute {}: it explains every fact", arguments.file,
                            arguments.refuted));
  }
  terminal.print(arguments.json ? refutation_json(*refutation).dump(2) + '\n'
                                : shown(refutation_page(*refutation)));
  if (!arguments.out.empty()) write_file(arguments.out, recording_lines(refutation->set));
  return refutation->cut_short.empty() ? exit_done : exit_ambiguous;
}

int minimize(const Arguments& arguments) {
  if (!arguments.out.empty()) expect_writable(arguments.out);
  if (!arguments.refuted.empty()) return minimize_recordings(arguments);
  if (arguments.between.empty()) {
    throw Error("minimize needs --between A B or --refutes MODEL (see cuvier minimize --help)");
  }
  if (arguments.device.empty()) {
    throw Error("--between needs --device: the device to predict for (see cuvier devices)");
  }
  return minimize_probe(arguments);
}

}  // namespace

Run declare_minimize(CLI::App& app) {
  app.footer(fmt::format(
      "A or B is {}\n"
      "\n"
      "With --between, finds a probe that still tells A from B and is as small as can be: in\n"
      "kernels, then actions, then blocks, then what the kernels demand. It is 1-minimal: no part\n"
      "can be left out by itself, and no number be lowered by itself. A smaller one that differs\n"
      "in more may be left.\n"
      "With --refutes, finds the fewest recordings and facts of a file that contradict a\n"
      "hypothesis. What ran before in the same session stays: it may have left state behind.\n"
      "Ctrl-C ends either with the smallest so far.\n"
      "\n"
      "Examples:\n"
      "  cuvier minimize probe.json --between algorithm-1 round-robin --device rtx3090\n"
      "  cuvier minimize probe.json --between model.json queue=skip_ahead --device h200 \\\n"
      "    --out small.json\n"
      "  cuvier minimize mine.jsonl --refutes algorithm-1-as-printed --out clash.jsonl\n"
      "\n"
      "Exit codes: 0 done, 10 Ctrl-C ended it early, 2 bad usage or input, or output that cannot\n"
      "be written",
      hypothesis_meaning));
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("FILE", arguments->file, "The probe; with --refutes the recordings")
      ->required()
      ->type_name("");
  CLI::Option* const between =
      app.add_option("--between", arguments->between, "Keep that the probe tells A from B")
          ->expected(2)
          ->type_name("A B");
  CLI::Option* const device = app.add_option("--device", arguments->device,
                                             "A name that `cuvier devices` lists, or a .json file")
                                  ->type_name("DEVICE");
  app.add_option("--refutes", arguments->refuted, "Keep that the recordings contradict this")
      ->type_name("MODEL")
      ->excludes(between)
      ->excludes(device);
  app.add_option("--out", arguments->out, "Write the probe, or the recordings, to this file")
      ->type_name("OUT");
  app.add_option("--seed", arguments->options.seed, "Of every random choice")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  app.add_flag("--json", arguments->json, "Print it for programs");
  return [arguments] { return minimize(*arguments); };
}

}  // namespace cuvier
