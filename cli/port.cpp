#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/inference_run.h"
#include "cli/inputs.h"
#include "cli/invention_run.h"
#include "cli/oracle_argument.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "hypotheses/devices.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "probes/oracles/corrected_oracle.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "reports/port/port_report.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/minimise.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct PortArguments {
  OracleArgument oracle;
  std::string out;
  std::vector<std::string> assumptions;
  std::vector<std::string> baselines;
  std::vector<std::string> stages;  ///< all if there is none
  InferenceOptions inference;
  int sequences = 1000;

  bool wants(std::string_view stage) const {
    return stages.empty() || std::ranges::find(stages, stage) != stages.end();
  }
};

const std::vector<std::string> all_stages = {"oracle", "inference", "differences", "validation"};

/// Algorithm 1, and what recorded GPUs were found to do, as far as the device's facts suffice.
std::vector<std::string> known_gpus(const Device& device) {
  const Assumptions permitted = Assumptions::all(device);
  std::vector<std::string> names;
  for (const NamedHypothesis& known : named_hypotheses()) {
    bool is_permitted = known.name == "algorithm-1" || known.name.ends_with("-as-recorded");
    for (int axis = 0; axis < kAxes; ++axis) {
      is_permitted = is_permitted && permitted.allows(axis, known.hypothesis.values[axis]);
    }
    if (is_permitted) names.emplace_back(known.name);
  }
  return names;
}

/// The stages of one port. What is done is in the folder, and not done again.
class Porter {
 public:
  Porter(const PortArguments& arguments, Terminal& terminal)
      : arguments_(arguments), folder_(arguments.out), terminal_(terminal) {
    const auto oracle = open_live_oracle(arguments.oracle, arguments.inference.seed);
    port_.oracle = oracle->description();
    port_.device = oracle->device();
    // What the first stage corrected holds for those that are run later, too.
    if (!arguments.wants("oracle") && fs::exists(in_folder("device.json"))) {
      port_.device = find_device(in_folder("device.json"));
    }
    for (const std::string& name : arguments.baselines) read_hypothesis(name, port_.device);
    baselines_ = arguments.baselines.empty() ? known_gpus(port_.device) : arguments.baselines;
  }

  int run() {
    end_on_interrupt();
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    try {
      if (arguments_.wants("oracle")) check();
    } catch (const Stopped& cut_short) {
      terminal_.print(fmt::format("  {}\n", cut_short.why));
      return exit_ambiguous;
    }
    write_file(in_folder("device.json"), to_json(port_.device).dump(2) + '\n');
    int exit_code = exit_done;
    if (arguments_.stages != std::vector<std::string>{"oracle"}) exit_code = infer();
    if (port_.finding && port_.finding->mechanism) {
      if (arguments_.wants("differences")) compare_with_baselines();
      if (arguments_.wants("validation") && !interrupted()) {
        exit_code = std::max(exit_code, validate());
      }
    }
    if (arguments_.stages.empty()) tell();
    return exit_code;
  }

 private:
  /// For one stage: what an earlier one left behind in the device is not known to the next.
  std::unique_ptr<Oracle> opened() const {
    return std::make_unique<CorrectedOracle>(
        open_oracle(arguments_.oracle, arguments_.inference.seed), port_.device);
  }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }

  /// The page, with what is known by now.
  void tell() {
    write_page(in_folder("report.md"), port_page(port_));
    terminal_.print(fmt::format("\nreport: {}\n", in_folder("report.md")));
  }

  void stage(int number, const std::string& what) {
    terminal_.print(
        fmt::format("{}{} of {}: {}\n", number > 1 ? "\n" : "", number, all_stages.size(), what));
  }

  /// A folder in which nothing was asked yet: NAME, NAME-2, ...
  std::string unused(const std::string& name) const {
    std::string folder = name;
    for (int n = 2; fs::exists(folder_ / folder); ++n) folder = fmt::format("{}-{}", name, n);
    return in_folder(folder);
  }

  void check() {
    stage(1, "is the oracle fit to be asked?");
    Journal journal(unused("check"), port_.device, port_.oracle);
    port_.check = check_oracle(*opened(), journal, arguments_.inference.seed, terminal_.task());
    terminal_.print(shown(oracle_check_page(*port_.check)));
    port_.device = corrected(port_.device, port_.check->corrections);
    if (!port_.check->good()) {
      terminal_.print(fmt::format(
          "  not all is as it should be: the next stages rest on device.json {}, and on these "
          "answers all the same\n",
          port_.check->corrections.empty() ? "as it is" : "with what was corrected"));
    }
  }

  int infer() {
    stage(2, "what does it do?");
    port_.finding = infer_in(port_.folder);
    const std::vector<OtherMap>& maps = port_.finding->maps;
    if (maps.size() == 1 && maps.front().settled()) {
      port_.device = maps.front().device;
      port_.folder = "inference-by-map";
      write_file(in_folder("device.json"), to_json(port_.device).dump(2) + '\n');
      terminal_.print(fmt::format(
          "\nof all maps that were tried, {} leave this one: it is in device.json now, and "
          "the inference goes on with it in {}\n",
          maps.front().clusters > 0 ? "clusters" : "carve-outs", in_folder(port_.folder)));
      take_over("inference");
      port_.finding = infer_in(port_.folder);
    }
    return exit_code(port_.finding->verdict);
  }

  Finding infer_in(const std::string& folder) {
    const InferenceRun run{in_folder(folder),
                           read_assumptions(arguments_.assumptions, port_.device),
                           arguments_.inference, true};
    // A rule is proposed of answers that are true.
    const auto infer = arguments_.inference.repeat > 1 ? run_inference : run_invention;
    return infer(*opened(), run, terminal_);
  }

  /// What was answered in that folder counts in the present one, too.
  void take_over(const std::string& from) {
    Journal journal(in_folder(port_.folder), port_.device, port_.oracle);
    if (!journal.recorded().recordings.empty()) return;
    for (const Recording& recording :
         read_recordings((folder_ / from / "journal.jsonl").string()).recordings) {
      journal.append(recording);
    }
  }

  void compare_with_baselines() {
    stage(3, "in what does it differ from GPUs that are known?");
    const Task task = terminal_.task();
    ComparisonOptions options;
    options.seed = arguments_.inference.seed;
    for (const std::string& name : baselines_) {
      Baseline baseline{name, read_hypothesis(name, port_.device), {}, {}};
      try {
        baseline.difference =
            compare(port_.device, *port_.finding->mechanism, baseline.hypothesis, options, task);
        if (auto& distinction = baseline.difference.distinction) {
          make_smaller(*distinction, port_.device, *port_.finding->mechanism, baseline.hypothesis,
                       options.seed, task);
          keep(*distinction, baseline);
        }
      } catch (const Stopped& cut_short) {
        terminal_.print(fmt::format("  {}: {}\n", name, cut_short.why));
        return;
      }
      terminal_.print(fmt::format("  {}: {}\n", name, name_of(baseline.difference.kind)));
      port_.baselines.push_back(std::move(baseline));
    }
  }

  void keep(Distinction& distinction, Baseline& baseline) {
    const std::string name = fs::path(baseline.name).stem().string();
    distinction.probe.name = "differs-from-" + name;
    baseline.probe_file = fmt::format("differences/{}.json", name);
    std::error_code ignored;
    fs::create_directories(folder_ / "differences", ignored);
    write_file(in_folder(baseline.probe_file), to_json(distinction.probe).dump(2) + '\n');
  }

  int validate() {
    stage(4, "does that hold on random sequences?");
    Journal journal(unused("validation"), port_.device, port_.oracle);
    ValidationOptions options;
    options.sequences = arguments_.sequences;
    options.seed = arguments_.inference.seed;
    options.task = terminal_.task();
    port_.validation = validate_model(*opened(), journal, *port_.finding->mechanism, options);
    terminal_.print(shown(validation_page(*port_.validation)));
    return port_.validation->contradictions.empty() ? exit_done : exit_refuted;
  }

  const PortArguments& arguments_;
  const fs::path folder_;
  std::vector<std::string> baselines_;
  Terminal& terminal_;
  Port port_;
};

int port(const PortArguments& arguments, Terminal& terminal) {
  return Porter(arguments, terminal).run();
}

void declare_port(Options& options, PortArguments& arguments) {
  add_oracle(options, arguments.oracle)->required();
  options.add("--out DIR", arguments.out, "The folder for what is found")->required();
  add_assumptions(options, arguments.assumptions,
                  "Consider only these values of an axis; may be repeated");
  options.add("--baseline MODEL", arguments.baselines,
              "What it is compared with: a model file, or a hypothesis that `cuvier axes` names; "
              "may be repeated; Algorithm 1 and the recorded GPUs unless there is one");
  options.choice("--stage STAGE", arguments.stages, all_stages,
                 "Only this stage, and the inference that it goes by; may be repeated; report.md "
                 "is written when all are run");
  options.sequences(arguments.sequences, "Random sequences to be asked at the end");
  options.number("--repeat R", arguments.inference.repeat, 1, 1'000,
                 "Answers may be wrong: run each probe of the inference at least so often");
  options.seed(arguments.inference.seed);
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
