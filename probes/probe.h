#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probes/device.h"

namespace cuvier {

/// A kernel as the scheduler sees it (scheduler.md section 2).
struct Kernel {
  std::string name = {};
  int blocks = 0;     ///< 1-D grid
  int threads = 0;    ///< per block
  int registers = 0;  ///< per thread, as the driver reports them
  int shared = 0;     ///< dynamic shared memory per block, bytes, without what the runtime reserves
  int local = 0;      ///< local memory per thread, bytes
  int priority = 0;   ///< as in CUDA: a lower number goes first
  std::optional<std::string> stream = {};  ///< without one: a stream of its own
  /// Blocks that are placed together, on one GPC. Absent: launched without clusters, which is not
  /// the same as clusters of one.
  std::optional<int> cluster = {};

  int warps() const { return (threads + 31) / 32; }

  bool operator==(const Kernel&) const = default;
};

/// Which blocks of a kernel a release lets go.
struct Release {
  int kernel = 0;           ///< index into Probe::kernels
  std::vector<int> blocks;  ///< ascending; empty: all that are resident

  bool operator==(const Release&) const = default;
};

/// One line of a script: a launch, or a release. A release of no block at all
/// (`"blocks":[]`) is read as an action without releases: a step that only settles.
struct Action {
  std::optional<int> launch;      ///< index into Probe::kernels
  std::vector<Release> releases;  ///< when it is no launch

  bool operator==(const Action&) const = default;
};

/// A sequence of launches and releases: the question that an oracle answers.
struct Probe {
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<Action> script;

  /// Index of the kernel of that name, if there is one.
  std::optional<int> find(const std::string& kernel) const;

  /// The step that launches the kernel; the script's length if none does.
  int launch_of(int kernel) const;

  /// Of all its kernels.
  std::int64_t blocks() const;

  bool operator==(const Probe&) const = default;
};

/// These, launched one after the other.
Probe launch_all(const std::string& name, std::vector<Kernel> kernels);

/// Whether they ask the same, whatever they are called.
bool same_question(const Probe& a, const Probe& b);

/// Throws Error unless every kernel is legal on the device (scheduler.md
/// section 2: threads, registers, shared memory, the driver's register rule, clusters).
void validate(const Probe& probe, const Device& device, const std::string& where);

/// True where validate() would not throw for this kernel.
bool is_legal(const Kernel& kernel, const Device& device);

}  // namespace cuvier
