#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/fields.h"
#include "verify/probe.h"

namespace cuvier::verify {

/// What is known of a kernel in a step of a probe's script.
struct Known {
  std::optional<std::vector<int>> sms;     ///< of each block that starts, ascending by block
  std::optional<std::vector<int>> sm_set;  ///< the same without the order, one block on each
  std::optional<int> started;              ///< how many start
  std::optional<bool> starts;              ///< whether any does
  std::optional<bool> complete;            ///< whether all of the kernel's do
  std::optional<std::vector<std::vector<int>>> slots;  ///< of each warp of each block
  bool operator==(const Known&) const = default;
};

struct Recording {
  Probe probe;                              ///< as far as it counts
  std::vector<std::vector<Known>> known;    ///< by step and kernel
  std::vector<std::optional<int>> configs;  ///< preferred, by kernel
  std::shared_ptr<const Opening> opening;   ///< of the session that it begins
  int facts = 0;
  bool fresh = true;   ///< begins a session
  bool counts = true;  ///< false: nobody knows the state in which it began
  std::string where;   ///< file and line
};

/// A file of recordings: oracle-protocol.md.
struct Journal {
  std::string source;
  Device device;
  std::vector<Recording> recordings;
};

/// Of warps with these slots.
std::vector<int> subpartitions_of(std::vector<int> slots);

Device device_from(const Json& json, const std::string& where, bool may_have_note = false);
/// `fields`: of an object with kernels and script beside others.
Probe probe_from(Fields& fields, const Device& device);
/// Throws Unreadable.
Journal read_journal(const std::string& path);

}  // namespace cuvier::verify
