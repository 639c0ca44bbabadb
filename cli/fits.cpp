#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "reports/certificate/certificate.h"
#include "reports/certificate/claimed_model.h"
#include "reports/document/write_file.h"
#include "reports/finding/model_json.h"
#include "reports/uses/uses_report.h"
#include "solver/cancellation/task.h"
#include "solver/justification/evidence_left.h"
#include "uses/fits/survivors.h"
#include "uses/kernel_set.h"

namespace cuvier {
namespace {

struct FitsArguments {
  KernelsArguments kernels;
  std::string device;
  std::vector<std::string> models;
  std::vector<std::string> assumptions;
  std::string survivors;
  std::string smt2;
  std::string probe;
  bool check = false;
  std::string sarif;
  bool json = false;
};

/// Those that are named; else all that are plausible of the device.
std::vector<Model> models_of(const FitsArguments& arguments, const Device& device) {
  std::vector<std::string> names = arguments.models;
  if (!arguments.assumptions.empty()) {
    names.push_back(fmt::format("{}", fmt::join(arguments.assumptions, ",")));
  }
  if (names.empty()) return plausible_models_of(device);
  std::vector<Model> models;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) {  // twice is once
      models.push_back(read_model_of(device, *name));
    }
  }
  return models;
}

/// All that the inference of this folder left.
Survivors survivors_of(const std::string& dir, const std::string& device, const Task& task) {
  const std::string path = model_file(dir);
  const ClaimedModel model = read_claimed_model(path);
  if (!device.empty() && !(find_device(device) == model.device)) {
    throw an_error("--device {}: is not that of {}; leave it out", device, path);
  }
  const Assumptions left = surviving_values(model, path);
  RecordingSet journal = read_recordings(recordings_file(dir));
  if (model.voted) journal = evidence_left(journal, model.assumed, true, task).counted;
  return Survivors(model.device, left, learned_order(model, path), sessions_of({journal}), task);
}

ExitCode exit_code(const Fits& answer) {
  if (answer.verdict == Fits::Verdict::undecided) return exit_undecided;
  return is_safe(answer) ? exit_done : exit_refuted;
}

/// Writes the files that were asked for, as far as there is something to write.
void write_files(const FitsArguments& arguments, const Fits& answer,
                 const std::vector<Kernel>& kernels) {
  if (!arguments.smt2.empty()) {
    if (answer.proof && answer.proof->holds()) {
      write_file(arguments.smt2, answer.proof->claim.smt2);
    } else {
      complain("--smt2: nothing was proved, so no file was written");
    }
  }
  if (!arguments.probe.empty()) {
    if (is_a_probe(answer)) {
      write_json(arguments.probe, to_json(probe_of(*answer.stranding, kernels, "stranding")));
    } else {
      complain("--probe: no order that a probe can launch strands a block, so no file was written");
    }
  }
}

/// The answer, and whom it is about.
struct Answered {
  Fits fits;
  std::vector<Model> models = {};
  std::optional<SurvivorCount> survivors = {};
};

Answered answer_by(const FitsArguments& arguments, const Device& device, const KernelSet& set,
                   const Task& task) {
  if (!arguments.survivors.empty()) {
    if (!set.others.none() || !set.launching.edges.empty()) {
      throw Error(
          "--survivors is for kernels in any order, on a device on which nothing else is; "
          "leave out resident, reserved_sms, after and programmatic_after");
    }
    Survivors survivors = survivors_of(arguments.survivors, arguments.device, task);
    Answered answered{fits(device, survivors, set, FitsLimits(task))};
    answered.survivors = survivors.count();
    return answered;
  }
  const std::vector<Model> models = models_of(arguments, device);
  return {fits(device, mapped(models, &Model::hypothesis), set, FitsLimits(task)), models};
}

Device device_of(const FitsArguments& arguments) {
  if (!arguments.device.empty()) return find_device(arguments.device);
  if (!arguments.survivors.empty()) return read_model_device(model_file(arguments.survivors));
  throw Error("--device is required, unless --survivors is given (see cuvier fits --help)");
}

int tell_whether_they_fit(const FitsArguments& arguments, Terminal& terminal) {
  const Device device = device_of(arguments);
  const KernelSet set = read_kernels(arguments.kernels, device);
  const Task task = terminal.task();
  const auto [answer, models, survivors] = answer_by(arguments, device, set, task);
  const bool is_one_line = arguments.check && !arguments.json;
  const bool shows_changes = !is_one_line || !arguments.sarif.empty();
  const std::vector<Change> mended =
      shows_changes ? changes(device, answer, set, task) : std::vector<Change>{};
  if (!arguments.sarif.empty()) {
    const std::string& path = arguments.kernels.kernels;
    const Json sarif = fits_sarif(answer, mended, device, set, path, read_file(path));
    write_json(arguments.sarif, sarif, 1);
  }
  if (is_one_line) {
    terminal.print(fits_line(answer, device, set, arguments.kernels.kernels) + '\n');
  } else {
    terminal.tell(arguments.json, fits_json(answer, mended, device, models, survivors, set),
                  fits_page(answer, mended, device, models, survivors, set));
  }
  write_files(arguments, answer, set.kernels);
  return exit_code(answer);
}

void declare_fits(Options& options, FitsArguments& arguments) {
  add_kernels(options, arguments.kernels);
  options.device(arguments.device, "; that of the inference with --survivors");
  CLI::Option* const model = options.add("--model MODEL", arguments.models,
                                         "The model that predicts; if not named, each that is "
                                         "plausible for the device, see below; may "
                                         "be repeated: safe is what is safe under each");
  CLI::Option* const changes = add_changes(options, arguments.assumptions)->excludes(model);
  options
      .add("--survivors DIR", arguments.survivors,
           "Safe is what is safe under every hypothesis that this inference left")
      ->excludes(model)
      ->excludes(changes);
  options.output("--smt2 FILE.smt2", arguments.smt2,
                 "Write what was proved about every scheduler, for any SMT solver");
  options.output("--probe PROBE.json", arguments.probe,
                 "Write the smallest order that strands a block");
  options.flag("--check", arguments.check, "Print one line, for the log of a build");
  options.output("--sarif FILE.sarif", arguments.sarif,
                 "Write what is wrong as SARIF, which code scanning shows; nothing is wrong where "
                 "the verdict is always or under_model");
  options.json(arguments.json);
  options.progress();
}

}  // namespace

Command fits_command() {
  return {
      "fits",
      "Are these kernels all resident at once, whatever the order?",
      R"(For persistent kernels, which never end: if one of their blocks finds no place, those that
wait for it wait for good. The device is taken to be idle before, and nothing else to run but
what the file says.
Kernels are as in a probe (cuvier predict --help), each in a stream of its own:
  {"kernels": {"workers": {"blocks": 128, "threads": 256, "registers": 64, "shared": 218112},
               "schedulers": {"blocks": 80, "threads": 32, "registers": 32, "shared": 16384}}}
Blocks of other kernels that are on the device already, wherever they are, are "resident", as
"kernels" are written; "reserved_sms" is how many SMs, or which, take none of the kernels.
"cooperative": true is a kernel that cudaLaunchCooperativeKernel launches. One with "after": [NAME]
comes once those have ended, as in a graph; with "programmatic_after" once their blocks have begun.
In place of "registers", "entry" names a function of a compiler's report, which tells its
registers, static shared memory (added to "shared") and local memory.

Verdicts (docs/howto/fits.md says what each rests on):
  always       safe under any scheduler that places a block wherever there surely is room
  under_model  safe under the model, in every order in which launches may arrive
  unsafe       an order strands blocks; the smallest is shown, and changes that help
  never        they do not fit together, in whatever order
  undecided    there are too many orders, or a solver gave up

Where no MODEL is named, what explains the recordings of such a GPU is asked or, where there are
none, Algorithm 1 and what explains those of other GPUs: safe is what is safe under each.)",
      R"(  cuvier fits kernels.json --device b200
  cuvier fits kernels.json --device b200 --probe stranding.json
  cuvier run --oracle gpu stranding.json
  cuvier fits kernels.json --survivors findings/mine
  cuvier fits kernels.json --device h200 --check --sarif fits.sarif
  cuvier fits kernels.json --device h200 --kernel-report kernels.cubin)",
      {{exit_done, "always or under_model"},
       {exit_ambiguous, "Ctrl-C"},
       {exit_refuted, "unsafe or never"},
       {exit_undecided, "undecided"}},
      with(declare_fits, tell_whether_they_fit)};
}

}  // namespace cuvier
