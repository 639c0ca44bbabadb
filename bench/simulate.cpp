// Simulation: what a workload costs beside simtbs, which reads the same with --write.

#include <fstream>

#include "bench/options.h"
#include "probes/rng.h"
#include "uses/simulate/simtbs.h"
#include "uses/simulate/simulation.h"

namespace {

using namespace cuvier;

constexpr int slots = 16;
constexpr int unit = kSubpartitions;  // warps that stand for a slot, as of a .conf file

/// What simtbs's template adds to a block's time as its SM fills.
const Contention contention{
    {{0.1, 0.1}, {0.2, 0.2}, {0.5, 0.3}, {0.7, 0.4}, {0.8, 0.5}, {0.9, 0.6}, {1, 0.7}}};

/// Kernels of 12 to 128 blocks of 5 to 20 ms, so many blocks in all, that would fill that share of
/// the slots if no block were slowed.
Workload workload_of(int sms, int blocks, double load) {
  Rng rng(1);
  Workload workload{{}, contention};
  double work = 0;
  while (blocks > 0) {
    Job job;
    job.kernel.name = fmt::format("k{}", workload.jobs.size() + 1);
    job.kernel.blocks = std::min(uniform(rng, 12, 128), blocks);
    job.kernel.threads = 32 * unit << uniform(rng, 0, 3);
    job.kernel.registers = 16;
    job.block_ms = uniform(rng, 5, 20);
    job.arrival_ms = 1 + static_cast<int>(work / (sms * slots * load));
    blocks -= job.kernel.blocks;
    work += job.kernel.blocks * job.kernel.warps() / unit * job.block_ms;
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

void write_simtbs(const Workload& workload, int sms, const std::string& path) {
  std::ofstream file(path);
  file << fmt::format("*general\n0\n\n*sm\n{} 1 1 {}\n\n*mem\n1\n\n", sms, slots)
       << "*overhead_mem\n1 1\n\n*overhead_sm\n";
  for (const auto& [share, added] : contention.points) file << fmt::format("{} {}\n", share, added);
  file << "\n*kernel\n";
  for (const Job& job : workload.jobs) {
    file << fmt::format("1 {} {} {} {} 0\n", job.arrival_ms, job.kernel.blocks, job.block_ms,
                        job.kernel.warps() / unit);
  }
  if (!file.flush()) {
    fmt::print(stderr, "{} cannot be written\n", path);
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "What a simulation costs, and with --write its workloads",
                        {{"--sms", "80,1024", "SMs of the device"},
                         {"--blocks", "10000,100000,1000000", "in all"},
                         {"--load", "0.5", "of the slots, if no block were slowed"},
                         {"--policy", "selection=fewest_warps", "a hypothesis; this is BFA"},
                         {"--write", "", "a folder for SMS-BLOCKS.conf, which simtbs reads"}});
  fmt::print("{:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9}\n", "SMs", "blocks", "kernels", "ANTT",
             "in use", "CPU s", "peak MiB");
  for (const int sms : options.numbers("--sms")) {
    for (const int blocks : options.numbers("--blocks")) {
      const Workload workload = workload_of(sms, blocks, std::stod(options.text("--load")));
      const std::string folder = options.text("--write");
      if (!folder.empty()) {
        write_simtbs(workload, sms, fmt::format("{}/{}-{}.conf", folder, sms, blocks));
      }
      fmt::print("{:>6} {:>9} ", sms, blocks);
      const ProcessUsage usage = usage_of([&] {
        const Device device = plain_device("SMs", sms, unit * slots);
        const WorkloadOutcome outcome =
            simulate(device, plain_hypothesis(options.text("--policy")), workload);
        fmt::print("{:>8} {:>8.3f} {:>6.1f} %", workload.jobs.size(),
                   outcome.antt(times_alone(device, plain_hypothesis("bfa"), workload)),
                   100 * outcome.utilisation(device));
      });
      fmt::print(" {:>8.2f} {:>9.1f}\n", usage.cpu_seconds, usage.peak_mib);
    }
  }
}
