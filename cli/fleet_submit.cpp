#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/oracle_argument.h"
#include "cli/process.h"
#include "cli/slurm.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "uses/file_name.h"
#include "uses/fleet/fleet_folder.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct FleetSubmitArguments {
  std::string out;
  OracleArgument oracle{"gpu"};
  std::vector<std::string> assumptions;
  double budget_s = 60;
  std::uint64_t seed = 1;
  std::string partition;
  std::string nodes;
  std::string time;
  int local = 0;  ///< tasks at once on this machine; 0: Slurm's
  std::vector<std::string> sbatch;
};

// ORACLE's variables are the shell's, so that each task can ask another: sim:die-$SLURM_JOB_GPUS.
constexpr const char* const script =
    R"(#!/bin/sh
# One GPU of a fleet, written by `cuvier fleet submit`: sbatch runs it, and so does --local, with what
# CUDA calls a GPU and what its log is called.
fleet={fleet}
if [ $# != 0 ]; then
  unset SLURMD_NODENAME SLURM_JOB_GPUS SLURM_ARRAY_TASK_COUNT  # those of a job that --local runs in
  export CUDA_VISIBLE_DEVICES="$1"
  echo "GPU $1 begins"
  exec 3>&1 >>"$fleet/logs/gpu-$2.out" 2>&1
fi
oracle=$(cat <<ORACLE
{oracle}
ORACLE
)
{cuvier} fleet task "$fleet" --oracle "$oracle"{options}
code=$?
if [ $# != 0 ]; then
  echo "GPU $1 ends with code $code" >&3
# It was killed; or the GPU is another task's, and its node has some that no task was given yet.
elif {{ [ $code = 10 ] || [ $code -gt 128 ]; }} && [ "${{SLURM_RESTART_COUNT:-0}}" -lt 50 ]; then
  [ -z "$SLURM_JOB_ID" ] || scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
)";

std::string script_of(const FleetSubmitArguments& arguments, const fs::path& folder) {
  std::error_code none;
  std::string options = fmt::format(" --budget {} --seed {}", arguments.budget_s, arguments.seed);
  if (arguments.oracle.timeout_s > 0) {
    options += fmt::format(" --oracle-timeout {}", arguments.oracle.timeout_s);
  }
  for (const std::string& assumption : arguments.assumptions) {
    options += " --assume " + in_shell_quotes(assumption);
  }
  return fmt::format(fmt::runtime(script), fmt::arg("fleet", in_shell_quotes(folder.string())),
                     fmt::arg("oracle", arguments.oracle.oracle),
                     fmt::arg("cuvier", in_shell_quotes(fs::read_symlink("/proc/self/exe", none))),
                     fmt::arg("options", options));
}

/// This machine's GPUs as CUDA calls them: those that it may see, or else the numbers of all that
/// the driver lists.
std::vector<std::string> local_gpus() {
  std::vector<std::string> gpus;
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    std::istringstream list(visible);
    for (std::string gpu; std::getline(list, gpu, ',');) gpus.push_back(gpu);
    return gpus;
  }
  if (!is_installed("nvidia-smi")) return gpus;
  const std::string list = output_of({"nvidia-smi", "-L"});  // a line for each
  for (std::ptrdiff_t gpu = 0; gpu < std::ranges::count(list, '\n'); ++gpu) {
    gpus.push_back(std::to_string(gpu));
  }
  return gpus;
}

class Submission {
 public:
  Submission(const FleetSubmitArguments& arguments, Terminal& terminal)
      : arguments_(arguments),
        terminal_(terminal),
        folder_(fs::absolute(arguments.out).lexically_normal()),
        fleet_(folder_),
        task_((folder_ / "task.sh").string()) {}

  int run() {
    begin();
    return arguments_.local > 0 ? run_here() : submit();
  }

 private:
  void begin() {
    if (fs::exists(folder_ / "fleet.json")) {
      known_ = fleet_.submitted();
      if (known_.oracle != arguments_.oracle.oracle) {
        throw an_error("{}: holds a fleet of which {} was asked; name another folder",
                       arguments_.out, known_.oracle);
      }
    }
    known_.oracle = arguments_.oracle.oracle;
  }

  /// Once it is known whom to ask: what fails before leaves no folder behind.
  void write_task() const {
    std::error_code error;
    fs::create_directories(folder_ / "logs", error);
    write_file(task_, script_of(arguments_, folder_));
    fs::permissions(task_, fs::perms::owner_exec, fs::perm_options::add, error);
  }

  bool has_model() const {
    std::error_code none;
    return fs::exists(folder_ / "models") && !fs::is_empty(folder_ / "models", none);
  }

  void know(const std::vector<FleetNode>& nodes) {
    for (const FleetNode& node : nodes) {
      const auto known = std::ranges::find(known_.nodes, node.name, &FleetNode::name);
      if (known == known_.nodes.end()) {
        known_.nodes.push_back(node);
      } else {
        known->gpus = node.gpus;
      }
    }
    fleet_.submit(known_);
  }

  /// Those with GPUs whose task is not done. Which of a node a task is given nobody can say: so all
  /// of them are asked for, and who has one that is done leaves.
  std::vector<FleetNode> left_of(const std::vector<FleetNode>& nodes) const {
    std::map<std::string, int> done;
    fleet_.each_gpu([&](GpuResult&& gpu) { done[gpu.host] += gpu.stage == FleetStage::done; });
    std::vector<FleetNode> left;
    for (const FleetNode& node : nodes) {
      if (done[node.name] < node.gpus) left.push_back(node);
    }
    return left;
  }

  // Slurm's.

  int submit() {
    const std::vector<FleetNode> nodes = slurm_nodes(arguments_.partition, arguments_.nodes);
    if (nodes.empty()) {
      throw Error(
          "no node has GPUs: sinfo shows none with gres gpu; name others with --partition or "
          "--nodes, or use this machine's with --local N");
    }
    for (const SlurmTask& task : slurm_tasks(known_.jobs)) {
      throw an_error("{}: job {} of it is still in the queue: wait for it, or scancel it",
                     arguments_.out, task.job);
    }
    const std::vector<FleetNode> left = left_of(nodes);
    known_.jobs.clear();
    write_task();
    know(nodes);  // before sbatch, which may fail: those without a job are not done
    std::string first;
    if (!left.empty() && !has_model()) {
      first = sbatch({"--exclude=" + others_than(nodes)}, "");
      terminal_.print("job {}: one GPU, the model of the others\n", first);
    }
    int tasks = 0;
    for (const FleetNode& node : left) {
      sbatch({"--nodelist=" + node.name, fmt::format("--array=1-{}", node.gpus)}, first);
      tasks += node.gpus;
      terminal_.status(fmt::format("{}: {}", node.name, counted(node.gpus, "task")));
    }
    terminal_.print("{} on {}; cuvier fleet status {}\n", counted(tasks, "task"),
                    counted(left.size(), "node"), arguments_.out);
    return exit_done;
  }

  std::string others_than(const std::vector<FleetNode>& nodes) const {
    std::string others;
    if (arguments_.nodes.empty()) return others;
    for (const FleetNode& node : slurm_nodes(arguments_.partition, "")) {
      if (std::ranges::find(nodes, node.name, &FleetNode::name) == nodes.end()) {
        others += (others.empty() ? "" : ",") + node.name;
      }
    }
    return others;
  }

  /// The job's number. `first`: the job after which it comes, if any.
  std::string sbatch(const std::vector<std::string>& which, const std::string& first) {
    std::vector<std::string> options = {
        "--requeue",  "--open-mode=append", "--nodes=1",
        "--ntasks=1", "--gres=gpu:1",       "--output=" + (folder_ / "logs/%j.out").string()};
    if (!arguments_.partition.empty()) options.push_back("--partition=" + arguments_.partition);
    if (!arguments_.time.empty()) options.push_back("--time=" + arguments_.time);
    if (!first.empty()) options.push_back("--dependency=afterany:" + first);
    std::ranges::copy(which, std::back_inserter(options));
    std::ranges::copy(arguments_.sbatch, std::back_inserter(options));
    known_.jobs.push_back(slurm_submit(options, task_));
    fleet_.submit(known_);
    return known_.jobs.back();
  }

  // Ours alone: xargs keeps N at work.

  int run_here() {
    std::vector<std::string> gpus = local_gpus();  // from here on each as task.sh takes it
    for (std::string& gpu : gpus) {
      gpu = in_shell_quotes(gpu) + ' ' + in_shell_quotes(file_name(gpu));
    }
    if (gpus.empty()) {
      throw Error(
          "this machine has no GPU that nvidia-smi lists; CUDA_VISIBLE_DEVICES=0,1 says which "
          "there are");
    }
    write_task();
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    know({{host.data(), static_cast<int>(gpus.size())}});
    const std::string task = in_shell_quotes(task_);
    int code = 0;
    if (!has_model()) {
      code = run_in_shell(fmt::format("sh {} {}", task, gpus[0]));
      gpus.erase(gpus.begin());
    }
    if (code != exit_ambiguous && !gpus.empty()) {
      const int of_others =
          run_in_shell(fmt::format("printf '%s\\0' {} | xargs -0 -n 2 -P {} sh {}",
                                   fmt::join(gpus, " "), arguments_.local, task));
      code = std::max(code, of_others);
    }
    terminal_.print("cuvier fleet status {0}; cuvier fleet report {0}\n", arguments_.out);
    return code == 0 ? exit_done : exit_ambiguous;
  }

  /// Its exit code; that of an interruption where a signal ended it.
  static int run_in_shell(const std::string& command) {
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : exit_ambiguous;
  }

  const FleetSubmitArguments& arguments_;
  Terminal& terminal_;
  const fs::path folder_;
  const FleetFolder fleet_;
  const std::string task_;
  Submitted known_;
};

int submit_fleet(const FleetSubmitArguments& arguments, Terminal& terminal) {
  return Submission(arguments, terminal).run();
}

void declare_fleet_submit(Options& options, FleetSubmitArguments& arguments) {
  options.add("--out DIR", arguments.out, "The fleet's folder, which all nodes share")->required();
  add_oracle(options, arguments.oracle);
  add_assumptions(options, arguments.assumptions);
  options.seconds("--budget S", arguments.budget_s,
                  "Of each task: ask the probes that tell the fleet's model from others for so "
                  "many seconds");
  options.add("--partition P", arguments.partition, "As of sbatch");
  options.add("--nodes LIST", arguments.nodes, "Only these, as of sinfo: n[1-4]");
  options.add("--time T", arguments.time, "The longest that a task may take, as of sbatch");
  CLI::Option* const local =
      options.number("--local N", arguments.local, 1, 4096,
                     "Without Slurm, on this machine's GPUs, so many at a time");
  options.add("SBATCH-OPTION", arguments.sbatch, "Behind --: given to sbatch as they are")
      ->required(false)
      ->excludes(local);
  options.seed(arguments.seed);
  options.progress();
}

}  // namespace

Command fleet_submit_command() {
  return {
      "fleet-submit",
      "Ask all GPUs of a cluster, one task each",
      R"(Submits an array of jobs for each node with GPUs, one task a GPU (--gres=gpu:1), each of
which runs `cuvier fleet task`. The first GPU that ends as identified is the model of the
others, which wait for its job. All is kept in DIR; what is done there is not done again, so
the same command goes on where nodes were down or tasks came to their end.
Variables of the shell in ORACLE are each task's own (SLURMD_NODENAME, SLURM_JOB_GPUS,
CUDA_VISIBLE_DEVICES; with --local the last). --local asks the GPUs that CUDA_VISIBLE_DEVICES
names, or nvidia-smi.
docs/howto/fleet.md walks through it.)",
      R"(  cuvier fleet submit --out fleets/ours --partition gpu --time 30
  cuvier fleet submit --out fleets/ours --nodes 'n[1-4]' -- --account=ops --qos=low
  cuvier fleet submit --out fleets/here --local 4
  CUDA_VISIBLE_DEVICES=h100,h200 cuvier fleet submit --out fleets/tried --local 2 \
    --oracle 'sim:$CUDA_VISIBLE_DEVICES')",
      {{exit_ambiguous, "of --local: not all tasks came to their end"}},
      with(declare_fleet_submit, submit_fleet)};
}

}  // namespace cuvier
