#pragma once

// What is asked and what was seen, as files have it.

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/fields.h"

namespace cuvier::verify {

constexpr int most_in_files = 1000000000;

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

/// What the kernel breaks of the device's rules; empty: it is legal.
std::string illegal(const Kernel& kernel, const Device& device);

/// What a probe does next: it launches a kernel, or releases blocks.
struct Action {
  struct Release {
    int kernel = 0;
    bool all = false;         ///< that are resident
    std::vector<int> blocks;  ///< or these, if resident
    bool operator==(const Release&) const = default;
  };
  int launch = -1;  ///< the kernel; -1: a release
  std::vector<Release> releases;
  bool releases_several() const {
    return releases.size() > 1 ||
           (!releases.empty() && (releases.front().all || releases.front().blocks.size() > 1));
  }
  bool operator==(const Action&) const = default;
};

struct Probe {
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<Action> script;
  bool operator==(const Probe&) const = default;
};

/// What is known of a kernel in a step of a probe's script.
struct Known {
  std::optional<std::vector<int>> sms;     ///< of each block that starts, ascending by block
  std::optional<std::vector<int>> sm_set;  ///< the same without the order, one block on each
  std::optional<int> started;              ///< how many start
  std::optional<bool> starts;              ///< whether any does
  std::optional<bool> complete;            ///< whether all of the kernel's do
  std::optional<std::vector<std::vector<int>>> slots;  ///< of each warp of each block
  std::optional<int> config;  ///< shared memory that it prefers; known of its launch
  auto operator<=>(const Known&) const = default;

  int facts() const {
    return sms.has_value() + sm_set.has_value() + started.has_value() + starts.has_value() +
           complete.has_value() + slots.has_value() + config.has_value();
  }
};

/// What ran on the idle device as a session began, and where it was seen to go
/// (docs/design/openings.md).
struct Opening {
  /// The last block that came to an SM.
  struct Latest {
    int sm = 0;
    int kernel = 0;
    std::optional<int> subpartition;  ///< of its last warp, where that was seen
  };
  std::vector<Kernel> kernels;  ///< in the order of their launches
  std::vector<Latest> latest;   ///< in the order in which they came
  std::string written;          ///< as the file has it
};

struct Recording {
  Probe probe;                             ///< as far as it counts
  std::vector<std::vector<Known>> known;   ///< by step and kernel
  std::shared_ptr<const Opening> opening;  ///< of the session that it begins
  bool fresh = true;                       ///< begins a session
  bool counts = true;                      ///< false: nobody knows the state in which it began
  std::string where = {};                  ///< file and line

  int facts() const {
    int facts = 0;
    for (const auto& step : known) {
      for (const Known& each : step) facts += each.facts();
    }
    return facts;
  }
};

/// A file of recordings: oracle-protocol.md.
struct Journal {
  Device device;
  std::vector<Recording> recordings;
};

/// The runs of one probe, and what they settle (docs/design/wrong-answers.md).
struct Voted {
  Recording outcome;  ///< as far as each part leads every other by three runs
  int runs = 0;
  int differing = 0;       ///< runs that say otherwise
  bool is_settled = true;  ///< all of the probe
};

/// Whether both are runs of one probe, as far as both count.
bool are_of_one_probe(const Recording& a, const Recording& b);

// All throw Unreadable.
Device device_from(Field fields);
/// `fields`: of an object with kernels and script beside others.
Probe probe_from(Field& fields, const Device& device);
int kernel_named(const Probe& probe, const Field& name);
Journal read_journal(const std::string& path);
/// Each part of what the runs of a probe show (a kernel in a step) is put to the vote by itself.
/// They must be runs of one probe, each in a session of its own.
std::vector<Voted> put_to_vote(const std::vector<Recording>& recordings);

}  // namespace cuvier::verify
