#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "reports/placements/placements_report.h"
#include "uses/file_name.h"

namespace cuvier {
namespace {

constexpr int kMostWarps = 2'000;
constexpr int kInstructions = 32;  // dependent double-precision additions: some 64 cycles each

/// What its tracer is told of the architecture: the number in "sm_86".
std::string binary_version(const Device& device) {
  return device.architecture.substr(device.architecture.find_first_of("0123456789"));
}

std::string warp_trace(int warp) {
  std::string text = fmt::format("\nwarp = {}\ninsts = {}\n", warp, kInstructions + 1);
  for (int i = 0; i < kInstructions; ++i) {
    text += fmt::format("{:04x} ffffffff 1 R2 DADD 2 R2 R2 0\n", 16 * i);
  }
  return text + fmt::format("{:04x} ffffffff 0 EXIT 0 0\n", 16 * kInstructions);
}

std::string kernel_trace(const Kernel& kernel, int id, int stream, const std::string& version) {
  std::string text = fmt::format(
      "-kernel name = {}\n-kernel id = {}\n-grid dim = ({},1,1)\n-block dim = ({},1,1)\n"
      "-shmem = {}\n-nregs = {}\n-binary version = {}\n-cuda stream id = {}\n"
      "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f1000000000\n"
      "-nvbit version = none\n-accelsim tracer version = 3\n\n"
      "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
      "[adrrescompress?] [mem_addresses]\n",
      file_name(kernel.name), id, kernel.blocks, kernel.threads, kernel.shared, kernel.registers,
      version, stream);
  std::string warps;
  for (int warp = 0; warp < kernel.warps(); ++warp) warps += warp_trace(warp);
  for (int block = 0; block < kernel.blocks; ++block) {
    text += fmt::format("\n#BEGIN_TB\n\nthread block = {},0,0\n{}\n#END_TB\n", block, warps);
  }
  return text;
}

}  // namespace

std::vector<TraceFile> accel_sim_traces(const Probe& probe, const Device& device) {
  std::vector<int> launched;
  int warps = 0;
  for (const Action& action : probe.script) {
    if (!action.launch) break;
    const Kernel& kernel = probe.kernels[*action.launch];
    if (kernel.cluster || kernel.blocks > kMostWarps) return {};
    warps += kernel.blocks * kernel.warps();
    launched.push_back(*action.launch);
  }
  if (launched.empty() || warps > kMostWarps) return {};
  const std::string folder = file_name(probe.name);
  std::vector<TraceFile> files{{folder + "/kernelslist.g", ""}};
  std::map<std::string, int> streams;
  for (std::size_t i = 0; i < launched.size(); ++i) {
    const Kernel& kernel = probe.kernels[launched[i]];
    const int id = static_cast<int>(i) + 1;
    const int stream = kernel.stream ? streams.try_emplace(*kernel.stream, id).first->second : id;
    const std::string file = fmt::format("kernel-{}.traceg", id);
    files[0].text += file + '\n';
    files.push_back({fmt::format("{}/{}", folder, file),
                     kernel_trace(kernel, id, stream, binary_version(device))});
  }
  return files;
}

std::string gpgpusim_config(const Device& device) {
  std::vector<int> configs;
  for (const int bytes : device.shared_configs) configs.push_back(bytes / 1024);
  return fmt::format(
      "# {}: what the scheduler of blocks depends on; the rest is the simulator's.\n"
      "-gpgpu_n_clusters {}\n-gpgpu_n_cores_per_cluster {}\n"
      "-gpgpu_shader_core_pipeline {}:32\n-gpgpu_shader_cta {}\n"
      "-gpgpu_shader_registers {}\n-gpgpu_registers_per_block {}\n"
      "-gpgpu_num_sched_per_core {}\n"
      "-gpgpu_shmem_size {}\n-gpgpu_shmem_sizeDefault {}\n-gpgpu_shmem_per_block {}\n"
      "-gpgpu_shmem_option {}\n-gpgpu_adaptive_cache_config 1\n"
      "-gpgpu_concurrent_kernel_sm 1\n-gpgpu_max_concurrent_kernel {}\n",
      device.name, (device.sms + device.sms_per_tpc - 1) / device.sms_per_tpc, device.sms_per_tpc,
      32 * device.max_warps_per_sm, device.max_blocks_per_sm, device.registers_per_sm,
      device.registers_per_sm, device.subpartitions, device.largest_config(),
      device.largest_config(), device.max_shared_per_block, fmt::join(configs, ","),
      device.max_resident_kernels);
}

std::string placements_csv(const RecordingSet& set) {
  std::string text = "probe,step,kernel,block,sm\n";
  for (const Recording& recording : set.recordings) {
    std::map<int, int> started;
    for (const Fact& fact : numbered_starts(recording)) {
      for (const int sm : fact.values) {
        text += fmt::format("{},{},{},{},{}\n", recording.name(), fact.step,
                            recording.probe.kernels[fact.kernel].name, started[fact.kernel]++, sm);
      }
    }
  }
  return text;
}

}  // namespace cuvier
