#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "corpus/store.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// So little is open that an inference is a matter of moments.
const std::string assumed = " --assume algorithm-1,selection=first_fit";

/// Simulated GPUs 0, 1, ..., of eight small SMs each, which say who they are.
class FleetCommands : public ::testing::Test {
 protected:
  void make(int number, const std::string& gpcs, const std::string& mechanism = "algorithm-1",
            int errs_in = 0) {
    const std::string n = std::to_string(number);
    const std::string device =
        folder_.write(n + ".json", samples::with(small_sms_text(8), R"("max_resident)",
                                                 R"("gpc_of_sm":[)" + gpcs + R"(],"max_resident)"));
    folder_.write(n + ".sh", "exec " CUVIER_DIE " " + device + ' ' + mechanism + " GPU-" + n + ' ' +
                                 folder_.path("asked-" + n) + ' ' + std::to_string(errs_in) + '\n');
  }

  /// Where CUDA sees these.
  Ended run_with(const std::string& gpus, const std::string& arguments) const {
    return run_in("CUDA_VISIBLE_DEVICES=" + gpus, arguments);
  }

  /// With these variables, as the shell takes them.
  Ended run_in(const std::string& environment, const std::string& arguments) const {
    return run_script(folder_, "export " + environment + "\nexec " CUVIER_BINARY " " + arguments);
  }

  /// A program that is found where PATH is $PWD/bin:$PATH.
  void make_program(const std::string& name, const std::string& deed) const {
    const std::string path = folder_.write("bin/" + name, "#!/bin/sh\n" + deed + '\n');
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  std::string submission() const {
    return "fleet submit --out f --local 2 --oracle 'exec:sh " + folder_.path("") +
           "/$CUDA_VISIBLE_DEVICES.sh'" + assumed;
  }

  int recorded(const std::string& journal) const {
    const std::string text = folder_.read("f/gpus/" + journal + "/journal.jsonl");
    int count = 0;
    for (std::size_t at = 0; (at = text.find(R"("type":"recording")", at)) != std::string::npos;
         ++at) {
      ++count;
    }
    return count;
  }

  int asked(int number) const {
    const std::string text = folder_.read("asked-" + std::to_string(number));
    return static_cast<int>(std::ranges::count(text, '\n'));
  }

  samples::Folder folder_;
};

TEST_F(FleetCommands, OfOneMachineGoFromNothingToTheReport) {
  make(0, "0,0,1,1,0,0,1,1");
  make(1, "1,1,0,0,1,1,0,0");
  make(2, "0,0,1,1,0,0,0,0", "selection=first_fit");
  make(3, "0,0,1,1,0,0,1,1", "algorithm-1", 20);
  const Ended ended = run_with("0,1,2,3", submission());
  ASSERT_EQ(ended.exit_code, 0) << ended.out << ended.err << folder_.read("f/logs/gpu-0.out");
  EXPECT_THAT(run_cuvier(folder_, "fleet status f").out, StartsWith("4 of 4 GPUs done"));
  const Ended report = run_cuvier(folder_, "fleet report f");
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.out, AllOf(StartsWith("4 GPUs: 2 mechanisms, 2 maps\n"),
                                HasSubstr("its answers did not repeat  1     GPU-3")));
  const Json json = parse_json(run_cuvier(folder_, "fleet report f --json").out, "report");
  EXPECT_EQ(json["mechanisms"][0]["gpus"].dump(), R"(["GPU-0","GPU-1","GPU-3"])");
  EXPECT_EQ(json["mechanisms"][1]["gpus"].dump(), R"(["GPU-2"])");
  EXPECT_EQ(json["maps"][0]["gpus"].dump(), R"(["GPU-0","GPU-1","GPU-3"])");
  // The probe that tells them apart does so on the GPUs.
  const auto shown_by = [&](const std::string& gpu) {
    const Ended run =
        run_cuvier(folder_, "run f/differences/1-2.json --oracle 'exec:sh " + gpu + "' --json");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  };
  EXPECT_NE(shown_by("0.sh"), shown_by("2.sh"));
  EXPECT_THAT(folder_.read("f/report.html"), HasSubstr("<script"));
  // Those like the first were asked its few probes alone.
  EXPECT_GT(recorded("GPU-0/inference"), 200);
  EXPECT_LT(recorded("GPU-1/probes"), 30);
  EXPECT_EQ(recorded("GPU-1/inference"), 0);

  const int before = asked(1);
  EXPECT_EQ(run_with("0,1,2,3", submission()).exit_code, 0);
  EXPECT_EQ(asked(1), before);
}

TEST_F(FleetCommands, AKilledTaskLosesNothingAndAsksNothingTwice) {
  make(0, "0,0,1,1,0,0,1,1");
  run_script(folder_, "export CUDA_VISIBLE_DEVICES=0\nsetsid " CUVIER_BINARY " " + submission() +
                          " & pid=$!\n"
                          "for i in $(seq 600); do\n"
                          "  n=$(wc -l <f/gpus/GPU-0/inference/journal.jsonl 2>/dev/null)\n"
                          "  [ ${n:-0} -gt 20 ] && break; sleep 0.05\ndone\n"
                          "kill -KILL -$pid\n"
                          "flock -w 10 f/gpus/GPU-0/lock true");  // until it is gone
  const std::string before = folder_.read("f/gpus/GPU-0/inference/journal.jsonl");
  const Ended status = run_cuvier(folder_, "fleet status f");
  EXPECT_EQ(status.exit_code, 10);
  EXPECT_THAT(status.out, HasSubstr("GPU-0  its task was ended"));
  ASSERT_EQ(run_with("0", submission()).exit_code, 0) << folder_.read("f/logs/gpu-0.out");
  EXPECT_THAT(folder_.read("f/gpus/GPU-0/inference/journal.jsonl"),
              StartsWith(before.substr(0, before.rfind('\n'))));
  const int kept = recorded("GPU-0/check") + recorded("GPU-0/inference");
  EXPECT_GE(asked(0), kept);
  EXPECT_LE(asked(0), kept + 1);  // one may have been on its way
}

TEST_F(FleetCommands, AGpuThatCannotBeOpenedIsToldWithTheReason) {
  EXPECT_EQ(run_with("0,1", "fleet submit --out f --local 2 --oracle 'exec:exit 7'").exit_code, 10);
  const Ended status = run_cuvier(folder_, "fleet status f");
  EXPECT_EQ(status.exit_code, 10);
  EXPECT_THAT(status.out, AllOf(StartsWith("0 of 2 GPUs done"), HasSubstr("exited with code 7")));
  EXPECT_THAT(run_cuvier(folder_, "fleet report f").out, HasSubstr("exited with code 7"));
}

TEST_F(FleetCommands, AFirstGpuThatDoesNotEndIsToldThoughTheOthersDo) {
  folder_.write("0.sh", "exit 7\n");
  make(1, "0,0,1,1,0,0,1,1");
  EXPECT_EQ(run_with("0,1", submission()).exit_code, 10);
  EXPECT_THAT(run_cuvier(folder_, "fleet status f").out, StartsWith("1 of 2 GPUs done"));
}

TEST_F(FleetCommands, GpusMayHaveAnyName) {
  const Ended ended =
      run_with("\"MIG-GPU-x/1/0,it's;1\"", "fleet submit --out f --local 2 --oracle 'exec:exit 7'");
  EXPECT_EQ(ended.exit_code, 10);
  for (const std::string log : {"f/logs/gpu-MIG-GPU-x-1-0.out", "f/logs/gpu-it-s-1.out"}) {
    EXPECT_THAT(folder_.read(log), HasSubstr("exited with code 7")) << ended.err;
  }
}

TEST_F(FleetCommands, InAJobOfSlurmsLeaveTheJobAlone) {
  folder_.write("small.json", small_sms_text(8));
  make_program("scontrol", "echo $* >>scontrol.txt");
  const std::string job =
      "CUDA_VISIBLE_DEVICES=0,1 SLURM_JOB_ID=7 SLURM_JOB_GPUS=0,1 SLURMD_NODENAME=n7 "
      "PATH=$PWD/bin:$PATH";
  // It tells no UUID: each GPU goes by what CUDA calls it.
  const Ended ended =
      run_in(job, "fleet submit --out f --local 2 --oracle sim:small.json" + assumed);
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err << folder_.read("f/logs/gpu-0.out");
  EXPECT_THAT(run_cuvier(folder_, "fleet status f").out, StartsWith("2 of 2 GPUs done"));
  const Ended killed =
      run_in(job, R"(fleet submit --out g --local 2 --oracle 'exec:kill -KILL \$PPID')");
  EXPECT_EQ(killed.exit_code, 10);
  EXPECT_THAT(killed.out, HasSubstr("GPU 0 ends with code 137"));
  EXPECT_EQ(folder_.read("scontrol.txt"), "");
}

TEST_F(FleetCommands, NodesWhoseJobsSlurmRefusedAreNotDone) {
  make_program("sinfo", "echo 'n1|gpu:1'; echo 'n2|gpu:1'");
  make_program("squeue", "");
  make_program("sbatch", "mkdir submitted || exit 1; echo 17");  // the first alone
  const std::string slurm = "PATH=$PWD/bin:$PATH";
  const Ended ended = run_in(slurm, "fleet submit --out f");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("sbatch failed"));
  const Ended status = run_in(slurm, "fleet status f");
  EXPECT_EQ(status.exit_code, 10);
  EXPECT_THAT(status.out, StartsWith("0 of 2 GPUs done"));
  EXPECT_THAT(run_in("PATH=/nowhere", "fleet submit --out g").err, HasSubstr("with --local N"));
}

/// What a session goes on with is an answer only behind what it began with.
TEST_F(FleetCommands, SessionsAreTakenOverWhole) {
  folder_.write("four.json", samples::device_text);
  const Device device = samples::device();
  SimulatedOracle oracle("sim:four.json", device, Hypothesis{});
  {
    Journal journal(folder_.path("f/gpus/n-0/probes"), device, "sim:four.json");
    for (const bool fresh : {true, true, false}) {
      if (fresh) oracle.begin_session();
      const Probe probe = samples::probe();
      journal.append(Recording{probe, oracle.run(probe, 1).front().facts, fresh, ""});
    }
  }
  const Json gpu = {{"id", "n-0"},       {"host", "n"},
                    {"oracle", "sim"},   {"device", parse_json(samples::device_text, "four")},
                    {"stage", "probed"}, {"seconds", 1}};
  folder_.write("f/gpus/n-0/gpu.json", gpu.dump());
  folder_.write("f/fleet.json", R"({"oracle":"sim:four.json","nodes":[]})");
  const Ended ended = run_in("SLURMD_NODENAME=n SLURM_JOB_GPUS=0",
                             "fleet task f --oracle sim:four.json --assume algorithm-1,bfa");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const std::string name = samples::probe().name;
  const auto taken = read_recordings(folder_.path("f/gpus/n-0/inference/journal.jsonl")).recordings;
  EXPECT_EQ(std::ranges::count(taken, name, &Recording::name), 1);
}

TEST_F(FleetCommands, ThatCannotBeginLeaveNothingBehind) {
  EXPECT_EQ(run_with("", "fleet submit --out f --local 1").exit_code, 2);
  EXPECT_EQ(run_in("PATH=/nowhere", "fleet submit --out f").exit_code, 2);
  EXPECT_EQ(run_cuvier(folder_, "fleet task f --oracle sim:t4").err,
            "cuvier: f: holds no fleet; cuvier fleet submit --out f begins one\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("f")));
}

TEST_F(FleetCommands, AskWhomTheFolderWasAskedOf) {
  make(0, "0,0,1,1,0,0,1,1");
  EXPECT_EQ(run_cuvier(folder_, "fleet status f").err,
            "cuvier: f: holds no fleet; cuvier fleet submit --out f begins one\n");
  folder_.write("fleet.json", R"({"oracle":"gpu","nodes":[]})");
  const Ended other = run_with("0", "fleet submit --out . --local 1 --oracle sim:h100");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("holds a fleet of which gpu was asked; name another folder"));
}

}  // namespace
}  // namespace cuvier
