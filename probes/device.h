#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace cuvier {

inline constexpr int kThreadsPerWarp = 32;
inline constexpr int kKiB = 1024;
/// Of a thread: with fewer, no gated kernel can be compiled.
inline constexpr int kFewestRegisters = 16;

/// The documented facts of one GPU (scheduler.md section 1). Never a hypothesis.
struct Device {
  static constexpr int kLargestCluster = 16;  ///< of any GPU, in blocks
  static constexpr int kSubpartitions = 4;    ///< of any SM; %warpid mod this names one

  std::string name;
  std::string architecture;  ///< "sm_86"
  int sms = 0;
  int sms_per_tpc = 2;
  int subpartitions = kSubpartitions;  ///< per SM
  int max_blocks_per_sm = 0;
  int max_warps_per_sm = 0;
  int max_threads_per_block = 1024;
  int max_registers_per_thread = 255;
  int registers_per_sm = 65536;     ///< 32-bit registers
  std::vector<int> shared_configs;  ///< carve-outs, bytes, ascending
  int max_shared_per_block = 0;     ///< dynamic, bytes
  int max_resident_kernels = 128;
  int max_cluster = 0;         ///< blocks in a cluster; 0: it launches none
  std::vector<int> gpc_of_sm;  ///< per SM; empty: unknown
  std::vector<int> tpc_of_sm;  ///< per SM; empty: SM i is in TPC i / sms_per_tpc

  int tpc_of(int sm) const { return tpc_of_sm.empty() ? sm / sms_per_tpc : tpc_of_sm[sm]; }
  int warps_per_subpartition() const { return max_warps_per_sm / subpartitions; }
  int registers_per_subpartition() const { return registers_per_sm / subpartitions; }
  int largest_config() const { return shared_configs.back(); }
  /// The most blocks in a cluster that some GPC can take, an SM for each; 0 where it launches no
  /// clusters, or it is not known which SMs a GPC has.
  int largest_cluster() const {
    if (max_cluster == 0 || gpc_of_sm.empty()) return 0;
    std::vector<int> size(sms);
    for (const int gpc : gpc_of_sm) ++size[gpc];
    return std::min(max_cluster, *std::max_element(size.begin(), size.end()));
  }

  bool operator==(const Device&) const = default;
};

/// The device with the other's GPCs and TPCs, and its largest clusters, which rest on them.
inline Device with_groups_of(Device device, const Device& other) {
  device.gpc_of_sm = other.gpc_of_sm;
  device.tpc_of_sm = other.tpc_of_sm;
  device.max_cluster = other.max_cluster;
  return device;
}

/// A map of SMs with the groups called 0, 1, ... in the order of their first SMs.
inline std::vector<int> numbered_by_first_sm(const std::vector<int>& group_of_sm) {
  std::map<int, int> number;
  std::vector<int> numbered;
  for (const int group : group_of_sm) {
    numbered.push_back(number.try_emplace(group, static_cast<int>(number.size())).first->second);
  }
  return numbered;
}

}  // namespace cuvier
