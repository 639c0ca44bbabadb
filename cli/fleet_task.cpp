#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/port_run.h"
#include "cli/process.h"
#include "probes/json_fields.h"
#include "probes/number_in.h"
#include "reports/document/write_file.h"
#include "reports/finding/model_json.h"
#include "uses/file_name.h"
#include "uses/fleet/fleet_folder.h"
#include "uses/fleet/telling_probes.h"

namespace cuvier {
namespace {

struct FleetTaskArguments {
  std::string dir;
  PortOf of;
  double budget_s = 60;
};

/// Of the environment; "" where it is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// Where the task is.
struct Slot {
  std::string node = variable("SLURMD_NODENAME");  ///< Slurm's name of it, or else the machine's
  /// What the task was given there, as a name for a file: Slurm's number of the GPU, or else
  /// CUDA_VISIBLE_DEVICES, which may be a number, a UUID or a list.
  std::string gpu = variable("SLURM_JOB_GPUS");

  Slot() {
    std::array<char, 256> name{};
    if (node.empty() && ::gethostname(name.data(), name.size() - 1) == 0) node = name.data();
    if (gpu.empty()) gpu = variable("CUDA_VISIBLE_DEVICES");
    if (gpu.empty()) gpu = "0";
    gpu = file_name(gpu);
  }
};

/// SMs on which no block started in any of these.
std::vector<int> silent_sms(const RecordingSet& set) {
  std::set<int> silent;
  for (int sm = 0; sm < set.device.sms; ++sm) silent.insert(sm);
  for (const Recording& recording : set.recordings) {
    for (const int sm : sms_in(recording.facts)) silent.erase(sm);
  }
  return {silent.begin(), silent.end()};
}

std::vector<std::string> facts_otherwise(const OracleCheck& check) {
  std::vector<std::string> words;
  for (const DeviceCorrection& each : check.corrections) {
    words.push_back(fmt::format("{}: {}, not {}", each.field, each.value, each.documented));
  }
  for (const LimitCheck& each : check.limits) {
    // Where another mechanism would show the same, it is for that to say.
    if (each.holds() || !each.refused.empty() || !each.unless.empty()) continue;
    words.push_back(fmt::format("{}: {}, not {}", each.what(), each.seen, each.documented));
  }
  return words;
}

/// The stages of one GPU's task. What an earlier task did is in its folder, and not done again.
class GpuTask {
 public:
  GpuTask(const FleetTaskArguments& arguments, const FleetFolder& fleet, GpuResult result,
          Terminal& terminal)
      : arguments_(arguments),
        fleet_(fleet),
        terminal_(terminal),
        result_(std::move(result)),
        before_s_(result_.seconds),
        of_(arguments.of) {
    of_.out = fleet_.gpu(result_.id).string();
  }

  int run() {
    result_.failed.clear();
    keep();
    try {
      go_on();
    } catch (const Stopped& cut_short) {
      result_.failed = cut_short.why;
    } catch (const Error& error) {
      result_.failed = error.what();
      keep();
      throw;
    }
    keep();
    return result_.stage == FleetStage::done ? exit_done : exit_ambiguous;
  }

 private:
  void go_on() {
    PortRun port(of_, result_.stage != FleetStage::begun, terminal_);
    if (result_.stage == FleetStage::begun) check(port);
    const std::string model = fleet_.model_of(result_.product());
    if (result_.stage == FleetStage::checked && std::filesystem::exists(model)) {
      compare(port, read_model(model));
    }
    if (result_.stage != FleetStage::done) infer(port);
  }

  void check(PortRun& port) {
    const std::string journal = port.check();
    port.keep_device();
    const OracleCheck& check = *port.port.check;
    result_.device = port.port.device;
    result_.facts_otherwise = facts_otherwise(check);
    result_.unrepeated = check.unsteady;
    std::ranges::copy(check.conformance.differing, std::back_inserter(result_.unrepeated));
    result_.silent_sms = silent_sms(read_recordings(journal));
    result_.run_ms = check.probe_ms;
    come_to(FleetStage::checked);
  }

  void compare(PortRun& port, const Hypothesis& model) {
    const Device& device = port.port.device;
    const TellingProbes probes = telling_probes(device, model, of_.inference.seed);
    Journal journal(port.in_folder("probes"), device, port.port.oracle);
    const Told told =
        ask_telling(*port.opened(), journal, model, probes, arguments_.budget_s, terminal_.task());
    result_.asked = told.answered;
    result_.told = told.rivals;
    result_.rivals = probes.rivals;
    result_.contradicted_by = told.contradicted_by;
    std::ranges::copy(told.unrepeated, std::back_inserter(result_.unrepeated));
    if (told.is_as_the_model()) {
      result_.verdict = as_the_model;
      result_.reason = fmt::format("{} probes, which tell {} of {} others from it", result_.asked,
                                   result_.told, result_.rivals);
      result_.mechanism = model;
    }
    come_to(told.is_as_the_model() ? FleetStage::done : FleetStage::probed);
  }

  void infer(PortRun& port) {
    if (!result_.unrepeated.empty()) of_.inference.repeat = 2;
    if (result_.stage == FleetStage::probed) port.take_over("probes", "inference");
    const Finding& finding = port.infer(run_inference);
    if (interrupted()) throw Stopped{"interrupted"};
    result_.verdict = name_of(finding.verdict);
    result_.reason = finding.reason;
    result_.mechanism = finding.mechanism;
    result_.device = port.port.device;
    if (finding.verdict == Verdict::identified) publish(port.in_folder(port.port.folder));
    come_to(FleetStage::done);
  }

  /// The first of its product that is identified is the model of the others.
  void publish(const std::string& inference) const {
    const std::filesystem::path model = fleet_.model_of(result_.product());
    if (std::filesystem::exists(model)) return;
    write_with_folder(model, read_file((std::filesystem::path(inference) / "model.json").string()));
  }

  void come_to(FleetStage stage) {
    result_.stage = stage;
    keep();
  }

  void keep() {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    result_.seconds = before_s_ + spent.count();
    write_json((fleet_.gpu(result_.id) / "gpu.json").string(), to_json(result_));
  }

  const FleetTaskArguments& arguments_;
  const FleetFolder& fleet_;
  Terminal& terminal_;
  GpuResult result_;
  const double before_s_;
  PortOf of_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Which GPU was given to this task. Where it cannot be opened, the fleet's folder says why.
GpuResult opened_gpu(const FleetTaskArguments& arguments, const FleetFolder& fleet,
                     const Slot& slot) {
  try {
    const auto oracle = open_live_oracle(arguments.of.oracle, arguments.of.inference.seed);
    const Unit unit = oracle->unit();
    GpuResult gpu;
    gpu.id = file_name(unit.uuid.empty() ? fmt::format("{}-{}", slot.node, slot.gpu) : unit.uuid);
    gpu.driver = unit.driver;
    gpu.host = slot.node;
    gpu.oracle = oracle->description();
    gpu.device = oracle->device();
    fleet.forget_failure(slot.node, slot.gpu);
    return gpu;
  } catch (const Error& error) {
    fleet.note_failure(slot.node, slot.gpu, error.what());
    throw;
  }
}

/// Whether each GPU of the node is done or some task's: those of Slurm's array are as many as they
/// are, and begin at about one time if they can.
bool others_are_taken(const FleetFolder& fleet, const std::string& node) {
  const int gpus = number_in<int>(variable("SLURM_ARRAY_TASK_COUNT")).value_or(0);
  for (int seconds = 0; seconds < 20; ++seconds) {
    if (fleet.taken(node) >= gpus || interrupted()) return true;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  return false;
}

int work_on_gpu(const FleetTaskArguments& arguments, Terminal& terminal) {
  end_on_interrupt();
  const FleetFolder fleet(arguments.dir);
  fleet.submitted();  // or it is another folder that was meant
  const Slot slot;
  GpuResult gpu = opened_gpu(arguments, fleet, slot);
  const std::string file = (fleet.gpu(gpu.id) / "gpu.json").string();
  const GpuLock lock(fleet.gpu(gpu.id));
  if (lock.is_ours() && std::filesystem::exists(file)) gpu = read_gpu_result(file);
  fleet.note_reached(slot.node, gpu.id);
  terminal.print("{} of {}\n", gpu.id, slot.node);
  if (lock.is_ours() && gpu.stage != FleetStage::done) {
    return GpuTask(arguments, fleet, std::move(gpu), terminal).run();
  }
  terminal.print(lock.is_ours() ? "done before\n" : "another task is at it\n");
  return others_are_taken(fleet, slot.node) ? exit_done : exit_ambiguous;
}

void declare_fleet_task(Options& options, FleetTaskArguments& arguments) {
  options.add("DIR", arguments.dir, "The fleet's folder");
  add_oracle(options, arguments.of.oracle)->required();
  add_assumptions(options, arguments.of.assumptions);
  options.seconds("--budget S", arguments.budget_s,
                  "Ask the probes that tell the fleet's model from others for so many seconds");
  options.seed(arguments.of.inference.seed);
  options.progress();
}

}  // namespace

Command fleet_task_command() {
  return {
      "fleet-task",
      "One GPU of a fleet: what each job of it runs",
      R"(Works on the GPU that it is given, in DIR/gpus/UUID: checks the facts of its device, asks
the probes that tell the fleet's model from its neighbours, and infers what it does only where
an answer contradicts the model, none is answered, or there is no model yet. What an earlier
task did of it is not done again; where another is at it, there is nothing to do. An oracle that
tells no UUID goes by its node and its number there (SLURMD_NODENAME, SLURM_JOB_GPUS or
CUDA_VISIBLE_DEVICES).
`cuvier fleet submit` writes the script that runs it.)",
      R"(  cuvier fleet task fleets/ours --oracle gpu)",
      {{exit_done, "done, whatever was found; or there was nothing to do"},
       {exit_ambiguous,
        "Ctrl-C ended it; or the GPU is another task's, and its node has some that no task "
        "has begun with"}},
      with(declare_fleet_task, work_on_gpu)};
}

}  // namespace cuvier
