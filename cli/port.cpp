#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/port_run.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "hypotheses/plausible_models.h"
#include "probes/json_fields.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/json_text.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "reports/port/port_report.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/minimise.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct PortArguments {
  PortOf of;
  std::vector<std::string> baselines;
  std::vector<std::string> stages;  ///< all if there is none
  int sequences = 1000;

  bool wants(std::string_view stage) const {
    return stages.empty() || std::ranges::find(stages, stage) != stages.end();
  }
};

const std::vector<std::string> all_stages = {"oracle", "inference", "differences", "validation"};

/// Algorithm 1, and what recorded GPUs were found to do, as far as the device's facts suffice.
std::vector<std::string> known_gpus(const Device& device) {
  std::vector<std::string> names;
  for (const NamedHypothesis& known : named_hypotheses()) {
    const bool is_meant = known.name == "algorithm-1" || known.name.ends_with("-as-recorded");
    if (is_meant && suffices_for(device, known.hypothesis)) names.emplace_back(known.name);
  }
  return names;
}

/// The stages of one port.
class Porter {
 public:
  // What the first stage corrected holds for those that are run later, too.
  Porter(const PortArguments& arguments, Terminal& terminal)
      : arguments_(arguments),
        run_(arguments.of, !arguments.wants("oracle"), terminal),
        terminal_(terminal) {
    const Device& device = run_.port.device;
    for (const std::string& name : arguments.baselines) read_hypothesis(name, device);
    baselines_ = arguments.baselines.empty() ? known_gpus(device) : arguments.baselines;
  }

  int run() {
    end_on_interrupt();
    try {
      if (arguments_.wants("oracle")) check();
    } catch (const Stopped& cut_short) {
      terminal_.print("  {}\n", cut_short.why);
      return exit_ambiguous;
    }
    run_.keep_device();
    int exit_code = exit_done;
    if (arguments_.stages != std::vector<std::string>{"oracle"}) exit_code = infer();
    if (port().finding && port().finding->mechanism) {
      if (arguments_.wants("differences")) compare_with_baselines();
      if (arguments_.wants("validation") && !interrupted()) {
        exit_code = std::max(exit_code, validate());
      }
    }
    if (interrupted()) exit_code = std::max<int>(exit_code, exit_ambiguous);
    if (arguments_.stages.empty()) tell();
    return exit_code;
  }

 private:
  Port& port() { return run_.port; }

  /// The page, with what is known by now.
  void tell() {
    write_page(run_.in_folder("report.md"), port_page(port()));
    terminal_.print("\nreport: {}\n", run_.in_folder("report.md"));
  }

  void stage(int number, const std::string& what) {
    terminal_.print("{}{} of {}: {}\n", number > 1 ? "\n" : "", number, all_stages.size(), what);
  }

  void check() {
    stage(1, "is the oracle fit to be asked?");
    run_.check();
  }

  int infer() {
    stage(2, "what does it do?");
    // A rule is proposed of answers that are true.
    const bool are_true = arguments_.of.inference.repeat == 1;
    return exit_code(run_.infer(are_true ? run_invention : run_inference).verdict);
  }

  void compare_with_baselines() {
    stage(3, "in what does it differ from GPUs that are known?");
    const Task all = terminal_.task();
    ComparisonOptions options;
    options.seed = arguments_.of.inference.seed;
    for (const std::string& name : baselines_) {
      const Task task = all.part(name, port().baselines.size(), baselines_.size());
      Baseline baseline{name, read_hypothesis(name, port().device), {}, {}};
      try {
        baseline.difference =
            compare(port().device, *port().finding->mechanism, baseline.hypothesis, options, task);
        if (auto& distinction = baseline.difference.distinction) {
          make_smaller(*distinction, port().device, *port().finding->mechanism, baseline.hypothesis,
                       options.seed, task);
          keep(*distinction, baseline);
        }
      } catch (const Stopped& cut_short) {
        terminal_.print("  {}: {}\n", name, cut_short.why);
        return;
      }
      terminal_.print("  {}: {}\n", name, name_of(baseline.difference.kind));
      port().baselines.push_back(std::move(baseline));
    }
  }

  /// Several baselines may have one stem: files of different folders, say.
  void keep(Distinction& distinction, Baseline& baseline) {
    const std::string stem = fs::path(baseline.name).stem().string();
    distinction.probe.name = "differs-from-" + stem;
    baseline.probe_file = fmt::format("differences/{}-{}.json", port().baselines.size() + 1, stem);
    write_with_folder(run_.in_folder(baseline.probe_file),
                      json_text(to_json(distinction.probe), 2) + '\n');
  }

  int validate() {
    stage(4, "does that hold on random sequences?");
    Journal journal(run_.unused("validation"), port().device, port().oracle);
    ValidationOptions options;
    options.sequences = arguments_.sequences;
    options.seed = arguments_.of.inference.seed;
    options.task = terminal_.task();
    port().validation =
        validate_model(*run_.opened(), journal, *port().finding->mechanism, options);
    terminal_.print(shown(validation_page(*port().validation)));
    return port().validation->contradictions.empty() ? exit_done : exit_refuted;
  }

  const PortArguments& arguments_;
  PortRun run_;
  std::vector<std::string> baselines_;
  Terminal& terminal_;
};

int port(const PortArguments& arguments, Terminal& terminal) {
  return Porter(arguments, terminal).run();
}

void declare_port(Options& options, PortArguments& arguments) {
  add_oracle(options, arguments.of.oracle)->required();
  add_oracles(options, arguments.of.oracle);
  options.add("--out DIR", arguments.of.out, "The folder for what is found")->required();
  add_assumptions(options, arguments.of.assumptions,
                  "Consider only these values of an axis; may be repeated");
  options.add("--baseline MODEL", arguments.baselines,
              "What it is compared with: a model file, or a hypothesis that `cuvier axes` names; "
              "may be repeated; Algorithm 1 and the recorded GPUs unless there is one");
  options.choice("--stage STAGE", arguments.stages, all_stages,
                 "Only this stage, and the inference that it goes by; may be repeated; report.md "
                 "is written when all are run");
  options.sequences(arguments.sequences, "Random sequences to be asked at the end");
  options.number("--repeat R", arguments.of.inference.repeat, 1, 1'000,
                 "Answers may be wrong: run each probe of the inference at least so often");
  options.seed(arguments.of.inference.seed);
  options.progress();
}

}  // namespace

Command port_command() {
  return {"port",
          "The whole road to a GPU that nobody knows yet",
          R"(Four stages for a GPU that nobody knows yet:
  oracle       is the oracle fit to be asked?
  inference    what does the GPU do?
  differences  how does it differ from GPUs that are known?
  validation   does that hold on random sequences?
Where no hypothesis explains the answers, the second proposes a rule that does, as `cuvier
invent`. DIR gets device.json, inference/ (as these leave it), differences/ (the smallest
probe that shows each), validation/, and report.md, which says what all that means and what
to contribute. If it is interrupted, the same command goes on: no answer to an inference is
asked for twice. docs/howto/port.md walks through it.)",
          R"(  cuvier port --oracle gpu --out ports/mine
  cuvier port --oracle sim:h200,selection=fewest_warps --baseline rtx3090-as-recorded \
    --baseline other.json --out ports/simulated -n 200
  cuvier port --oracle gpu --out ports/mine --stage validation -n 100000)",
          {{exit_done, "identified: one behaviour is left, and no random sequence contradicts it"},
           {exit_ambiguous, "ambiguous: several are left, or Ctrl-C ended it"},
           {exit_refuted,
            "refuted: no hypothesis explains the answers, or a random sequence "
            "contradicts the model"},
           {exit_undecided, "undecided: a solver gave up"}},
          with(declare_port, port)};
}

}  // namespace cuvier
