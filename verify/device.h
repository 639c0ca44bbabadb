#pragma once

#include <string>
#include <vector>

namespace cuvier::verify {

/// A GPU's facts (scheduler.md, 1).
struct Device {
  std::string name;
  std::string architecture;
  int sms = 0;
  int sms_per_tpc = 0;
  int max_blocks_per_sm = 0;
  int max_warps_per_sm = 0;
  int max_threads_per_block = 0;
  int max_registers_per_thread = 0;
  int registers_per_sm = 0;
  std::vector<int> shared_configs;  ///< ascending, bytes
  int max_shared_per_block = 0;
  int max_resident_kernels = 128;
  int max_cluster = 0;
  std::vector<int> gpc_of_sm;  ///< empty: unknown
  std::vector<int> tpc_of_sm;  ///< filled in where the file has none

  bool operator==(const Device&) const = default;
};

/// A kernel of a probe (scheduler.md, 2).
struct Kernel {
  std::string name;
  int blocks = 0;
  int threads = 0;
  int registers = 0;
  int shared = 0;
  int local = 0;
  std::string stream;  ///< empty: one of its own
  int priority = 0;
  int cluster = 0;  ///< 0: launched without clusters

  int warps() const { return (threads + 31) / 32; }
  bool operator==(const Kernel&) const = default;
};

constexpr long round_up(long number, long unit) { return (number + unit - 1) / unit * unit; }

/// What the kernel breaks of the device's rules; empty: it is legal.
std::string illegal(const Kernel& kernel, const Device& device);

}  // namespace cuvier::verify
