#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace cuvier {

/// The documented facts of one GPU (scheduler.md section 1). Never a hypothesis.
struct Device {
  static constexpr int kLargestCluster = 16;  ///< of any GPU, in blocks

  std::string name;
  std::string architecture;  ///< "sm_86"
  int sms = 0;
  int sms_per_tpc = 2;
  int subpartitions = 4;  ///< per SM
  int max_blocks_per_sm = 0;
  int max_warps_per_sm = 0;
  int max_threads_per_block = 1024;
  int max_registers_per_thread = 255;
  int registers_per_sm = 65536;     ///< 32-bit registers
  std::vector<int> shared_configs;  ///< carve-outs, bytes, ascending
  int max_shared_per_block = 0;     ///< dynamic, bytes
  int max_resident_kernels = 128;
  int max_cluster = 0;         ///< blocks in a cluster, a power of two; 0: it launches none
  std::vector<int> gpc_of_sm;  ///< per SM; empty: unknown
  std::vector<int> tpc_of_sm;  ///< per SM; empty: SM i is in TPC i / sms_per_tpc

  int tpc_of(int sm) const { return tpc_of_sm.empty() ? sm / sms_per_tpc : tpc_of_sm[sm]; }
  int warps_per_subpartition() const { return max_warps_per_sm / subpartitions; }
  int registers_per_subpartition() const { return registers_per_sm / subpartitions; }
  int largest_config() const { return shared_configs.back(); }
  /// The most blocks in a cluster that some GPC can take, an SM for each; 0 where it launches no
  /// clusters, or it is not known which SMs a GPC has.
  int largest_cluster() const;

  bool operator==(const Device&) const = default;
};

/// Reads the `device` object of the oracle protocol. Throws Error naming the
/// field: missing, of a wrong type, unknown, or inconsistent with another.
/// `where` prefixes every message ("devices/a100.json", "rtx.jsonl:1"); `path`
/// is the object's own place in that document ("device"), if it is not the root.
Device device_from_json(const nlohmann::ordered_json& json, const std::string& where,
                        const std::string& path = {});

/// Every field; the optional maps only where they are known.
nlohmann::ordered_json to_json(const Device& device);

}  // namespace cuvier
