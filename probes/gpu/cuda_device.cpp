#include "probes/gpu/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "probes/gpu/clusters.h"
#include "probes/gpu/cuda_check.h"
#include "probes/gpu/device_facts.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/kernel_activity.h"
#include "probes/gpu/run_probe.h"

namespace cuvier::gpu {
namespace {

// A gate is host memory, and a look at it a read over the bus: the more of those who look
// (blocks; where they spin, warps), the less often each does, so that the bus carries some
// 10^8 looks a second at most.
constexpr int pause_ns_per_looker = 10;
constexpr std::int64_t shortest_pause_ns = 500;
constexpr std::int64_t longest_pause_ns = 50'000;

// Not the bus's limit but ours: beyond it a probe takes seconds.
constexpr int most_blocks = 1 << 20;

/// Of kernels that are launched for the first time, so few that no block waits for long meanwhile.
constexpr int warmed_at_once = 32;

/// Before it is known how quick this machine is, and whatever the driver does only once.
constexpr Patience unhurried{.quiet = std::chrono::milliseconds{5},
                             .must_start = std::chrono::seconds{10},
                             .probe = std::chrono::seconds{20}};

/// For kernels of one block: once that has started, nothing more will.
constexpr Patience hurried{.quiet = std::chrono::microseconds{100},
                           .must_start = unhurried.must_start,
                           .probe = unhurried.probe};

}  // namespace

CudaDevice::CudaDevice(const CudaOptions& options) : options_(options) {
  // CUPTI sees what comes after it, so it comes before CUDA itself starts.
  if (options.activity) record_configs();
  watched("use the device", [&] { return cudaSetDevice(options.ordinal); });
  facts_ = read_facts(options.ordinal);
  shelf_ = std::make_unique<KernelShelf>(facts_, options.carve_out);
  int lowest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest_priority_),
        "read the range of priorities");
  smallest_.name = "k";
  smallest_.blocks = 1;
  smallest_.threads = 32;
  smallest_.registers = shelf_->with_frame(0).registers;
  streams_ = std::make_unique<StreamPool>(highest_priority_, facts_.max_resident_kernels);
  warm_streams();
  find_connections();
  if (options_.grow_local) grow_local();
  warm_kernels();
  find_channels();
}

/// Launches on every stream, twice: a stream's first launch is slow.
void CudaDevice::warm_streams() {
  std::vector<Clock::duration> first;
  std::vector<Clock::duration> second;
  for (int priority = 0; priority >= highest_priority_; --priority) {
    std::vector<Kernel> kernels(streams_->count(priority), smallest_);
    for (int k = 0; k < std::ssize(kernels); ++k) {
      kernels[k].name = fmt::format("warm{}", k);
      kernels[k].priority = priority;
    }
    const Probe probe = launch_all("warm", std::move(kernels));
    for (std::vector<Clock::duration>* times : {&first, &second}) {
      run_probe(*this, probe, unhurried);
      std::ranges::copy(launches_.take_durations(), std::back_inserter(*times));
    }
  }
  stream_launches_.streams = static_cast<int>(first.size());
  stream_launches_.first = quantiles_of(first);
  stream_launches_.second = quantiles_of(second);
}

/// Behind a block on one stream waits another of that stream, and blocks on other streams that
/// wait then have the same connection.
void CudaDevice::find_connections() {
  for (auto priorities = streams_->to_connect(); !priorities.empty();
       priorities = streams_->to_connect()) {
    Kernel first = smallest_;
    first.name = "first";
    first.stream = "shared";
    first.priority = priorities[0];
    Kernel behind = first;
    behind.name = "behind";
    std::vector<Kernel> kernels = {first, behind};
    for (std::size_t i = 1; i < priorities.size(); ++i) {
      Kernel other = smallest_;
      other.name = fmt::format("other{}", i);
      other.priority = priorities[i];
      kernels.push_back(other);
    }
    const Observation seen = run_probe(*this, launch_all("connections", kernels), hurried);
    std::vector<bool> shares = {true};
    for (std::size_t step = 2; step < seen.steps.size(); ++step) {
      shares.push_back(seen.steps[step].started.empty());
    }
    streams_->connect(shares);
  }
  stream_launches_.connections = streams_->connections();
  stream_launches_.connected = streams_->connected();
}

/// Runs one block of every kernel, and one cluster, and one of every size: whatever the driver
/// puts off to a first launch is done then. Frames only where local memory may grow.
void CudaDevice::warm_kernels() {
  std::vector<Kernel> kernels;
  const auto run = [&] {
    if (!kernels.empty()) run_probe(*this, launch_all("warm", kernels), unhurried);
    kernels.clear();
  };
  const auto add = [&](Kernel kernel, std::optional<int> cluster) {
    kernel.name = fmt::format("warm{}", kernels.size());
    kernel.cluster = cluster;
    kernels.push_back(kernel);
    if (kernels.size() == warmed_at_once) run();
  };
  const bool clusters = launches_clusters(facts_);
  for (const KernelShelf::Entry& entry : shelf_->entries()) {
    if (entry.local > 0 && !options_.grow_local) continue;
    Kernel kernel = smallest_;
    kernel.registers = entry.registers;
    kernel.local = entry.claim.local;
    add(kernel, std::nullopt);
    if (clusters) add(kernel, 1);
  }
  run();
  for (int size = 2; clusters && size <= Device::kLargestCluster; size *= 2) {
    Kernel kernel = smallest_;
    kernel.blocks = kernel.cluster.emplace(size);
    try {
      trial(kernel);
    } catch (const Failure& failure) {
      // The device may have none of this size.
      if (failure.code() != FailureCode::unsupported) throw;
    }
  }
}

/// Local memory stays as large as it was ever needed: what has grown shows in the smallest block,
/// and so in the next opening.
void CudaDevice::local_grows_to(int local) {
  if (local <= smallest_.local) return;
  smallest_.registers = shelf_->with_frame(local).registers;
  smallest_.local = local;
}

/// Runs the largest frame on a full device.
void CudaDevice::grow_local() {
  local_grows_to(shelf_->largest_frame());
  Kernel kernel = smallest_;
  kernel.blocks = facts_.sms * facts_.max_blocks_per_sm;
  trial(kernel);
}

Observation CudaDevice::trial(const Kernel& kernel) {
  return run_probe(*this, launch_all(kernel.name, {kernel}), unhurried);
}

/// A channel counts as working if what it shows of a trial can be true.
void CudaDevice::find_channels() {
  Kernel kernel{.name = "trial", .blocks = facts_.sms, .threads = 128, .registers = 32};
  const Observation seen = trial(kernel);
  const Started& started = seen.steps[0].started.at(0);
  const auto can_be_true = [&](const std::vector<int>& block) {
    const std::set<int> distinct(block.begin(), block.end());
    return distinct.size() == block.size() && *distinct.rbegin() < facts_.max_warps_per_sm;
  };
  const bool slots = std::ranges::all_of(started.warp_slot.by_block(), can_be_true);
  if (slots) channels_.push_back("warp_slot");
  // A clock that stands still tells nothing of the order.
  const auto [first, last] = std::ranges::minmax(started.start_ns);
  if (started.start_ns.size() > 1 && first < last) channels_.push_back("start_ns");
}

void CudaDevice::set_groups(const Device& device) { facts_ = with_groups_of(facts_, device); }

cudaStream_t CudaDevice::stream_for(const Kernel& kernel,
                                    std::map<std::string, cudaStream_t>& named) {
  if (kernel.stream) {
    const auto found = named.find(*kernel.stream);
    if (found != named.end()) return found->second;
  }
  const std::optional<cudaStream_t> stream = streams_->take(kernel.priority);
  if (!stream) {
    throw Failure(FailureCode::unsupported,
                  fmt::format("{}: more than {} streams of priority {} in one probe", kernel.name,
                              streams_->count(kernel.priority), kernel.priority));
  }
  if (kernel.stream) named[*kernel.stream] = *stream;
  return *stream;
}

void CudaDevice::begin(const Probe& probe) {
  int blocks = 0;
  for (const Kernel& kernel : probe.kernels) {
    if (kernel.priority < highest_priority_ || kernel.priority > 0) {
      throw Failure(FailureCode::unsupported, fmt::format("{}: priorities go from {} to 0 here",
                                                          kernel.name, highest_priority_));
    }
    if (kernel.blocks > most_blocks - blocks) {
      throw Failure(FailureCode::unsupported,
                    fmt::format("more than {} blocks in one probe", most_blocks));
    }
    blocks += kernel.blocks;
  }
  std::vector<Planned> planned;
  std::int64_t lookers = 0;
  for (const Kernel& kernel : probe.kernels) {
    lookers += std::int64_t{kernel.blocks} * (options_.spin ? kernel.warps() : 1);
    planned.push_back({shelf_->find(kernel).claim.function, {}, nullptr});
  }
  probe_ = probe;
  launched_.clear();
  launches_.take_durations();
  if (options_.activity) take_configs();
  gates_.begin(probe.kernels);
  streams_->free_all();
  std::map<std::string, cudaStream_t> named;
  for (int k = 0; k < std::ssize(planned); ++k) {
    GateArguments& arguments = planned[k].arguments;
    arguments = gates_.arguments(k);
    arguments.fail_safe_ns = fail_safe.count();
    arguments.pause_ns =
        std::clamp(lookers * pause_ns_per_looker, shortest_pause_ns, longest_pause_ns);
    arguments.spin = options_.spin;
    arguments.frame_word = 0;
    arguments.never = nullptr;
    planned[k].stream = stream_for(probe.kernels[k], named);
  }
  planned_ = std::move(planned);
}

void CudaDevice::launch(int kernel) {
  launched_.push_back(kernel);
  local_grows_to(probe_.kernels[kernel].local);
  gates_.watch(kernel);
  launches_.push([ordinal = options_.ordinal, policy = options_.cluster_policy,
                  what = probe_.kernels[kernel], planned = planned_[kernel]]() mutable {
    // Which device is current is a matter of each thread.
    check(cudaSetDevice(ordinal), "use the device");
    void* arguments[] = {&planned.arguments};
    watched("launch " + what.name, [&] {
      if (!what.cluster) {
        return cudaLaunchKernel(planned.function, dim3(what.blocks), dim3(what.threads), arguments,
                                what.shared, planned.stream);
      }
      const ClusterLaunch launch(what, planned.stream, policy);
      return cudaLaunchKernelExC(&launch.config, planned.function, arguments);
    });
  });
}

void CudaDevice::release(const std::vector<Release>& releases) {
  for (const Release& release : releases) {
    for (const int block : release.blocks) gates_.open(release.kernel, block);
  }
}

bool CudaDevice::idle() {
  if (!launches_.returned_at()) return false;
  for (const Planned& planned : planned_) {
    bool ready = true;
    watched("ask whether the probe's kernels have ended", [&] {
      const cudaError_t error = cudaStreamQuery(planned.stream);
      ready = error != cudaErrorNotReady;
      return ready ? error : cudaSuccess;
    });
    if (!ready) return false;
  }
  return true;
}

std::map<int, int> CudaDevice::shared_configs() {
  if (!options_.activity) return {};
  // Records are complete only once the host has waited; the device is idle, so this returns.
  watched("wait for the idle device", [] { return cudaDeviceSynchronize(); });
  const std::vector<int> seen = take_configs();
  if (seen.size() != launched_.size()) return {};  // records were lost: say nothing
  std::map<int, int> configs;
  for (int i = 0; i < std::ssize(launched_); ++i) configs[launched_[i]] = seen[i];
  return configs;
}

void CudaDevice::pause() { std::this_thread::yield(); }

}  // namespace cuvier::gpu
