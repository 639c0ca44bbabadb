#include "probes/gpu/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <thread>

#include "probes/gpu/cuda_check.h"
#include "probes/gpu/device_facts.h"
#include "probes/gpu/failure.h"
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

/// Before it is known how quick this machine is.
constexpr Patience unhurried{.quiet = std::chrono::milliseconds{5}};

/// As many kernels as can be resident, and one more that cannot, on streams of their own; fewer
/// where priorities are at play.
constexpr int streams_beside_default = 32;
int streams_of_priority(const Device& device, int priority) {
  return priority == 0 ? device.max_resident_kernels + 1 : streams_beside_default;
}

/// Of gated blocks. Like all that is launched here, this has not run on a GPU yet.
cudaError_t launch_clusters(const Kernel& what, const void* function, void** arguments,
                            cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(*what.cluster), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(what.blocks);
  config.blockDim = dim3(what.threads);
  config.dynamicSmemBytes = what.shared;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelExC(&config, function, arguments);
}

Probe single(const Kernel& kernel) {
  Probe probe;
  probe.name = kernel.name;
  probe.kernels = {kernel};
  probe.script = {{0, {}}};
  return probe;
}

}  // namespace

CudaDevice::CudaDevice(const CudaOptions& options) : options_(options) {
  // CUPTI sees what comes after it, so it comes before CUDA itself starts.
  if (options.activity) activity_ = KernelActivity::open();
  watched("use the device", [&] { return cudaSetDevice(options.ordinal); });
  facts_ = read_facts(options.ordinal);
  shelf_ = std::make_unique<KernelShelf>(facts_);
  int lowest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest_priority_),
        "read the range of priorities");
  warm_kernels();
  warm_streams();
  if (options_.grow_local) grow_local();
  find_channels();
}

/// Runs one block of every kernel without a frame: whatever the driver puts off to a first
/// launch is done then.
void CudaDevice::warm_kernels() {
  std::set<int> counts;
  for (const KernelShelf::Entry& entry : shelf_->entries()) {
    if (entry.claim.local == 0 && entry.local == 0) counts.insert(entry.registers);
  }
  smallest_.name = "k";
  smallest_.blocks = 1;
  smallest_.threads = 32;
  smallest_.registers = *counts.begin();
  Kernel kernel = smallest_;
  for (const int registers : counts) {
    kernel.registers = registers;
    trial(kernel);
  }
}

/// Makes every stream that a probe may come to use, and launches on each, twice: to make one
/// while blocks wait at their gates may be to wait for the device, and a stream's first launch
/// is slow.
void CudaDevice::warm_streams() {
  std::vector<Clock::duration> first;
  std::vector<Clock::duration> second;
  for (int priority = 0; priority >= highest_priority_; --priority) {
    Probe probe;
    probe.name = "warm";
    for (int k = 0; k < streams_of_priority(facts_, priority); ++k) {
      Kernel kernel = smallest_;
      kernel.name = fmt::format("warm{}", k);
      kernel.priority = priority;
      probe.kernels.push_back(kernel);
      probe.script.push_back({k, {}});
    }
    for (std::vector<Clock::duration>* times : {&first, &second}) {
      run_probe(*this, probe, unhurried);
      std::ranges::copy(launches_.take_durations(), std::back_inserter(*times));
    }
  }
  stream_launches_ = {static_cast<int>(first.size()), quantiles_of(first), quantiles_of(second)};
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
  return run_probe(*this, single(kernel), unhurried);
}

/// A channel counts as working if what it shows of a trial can be true.
void CudaDevice::find_channels() {
  Kernel kernel;
  kernel.name = "trial";
  kernel.blocks = facts_.sms;
  kernel.threads = 128;
  kernel.registers = 32;
  const Observation seen = trial(kernel);
  if (seen.steps[0].started.size() != 1) {
    throw Failure(FailureCode::internal, "none of a trial's blocks started");
  }
  const Started& started = seen.steps[0].started[0];
  const bool slots = std::ranges::all_of(started.warp_slot, [&](const std::vector<int>& block) {
    const std::set<int> distinct(block.begin(), block.end());
    return distinct.size() == block.size() && *distinct.rbegin() < facts_.max_warps_per_sm;
  });
  if (slots) channels_.push_back("warp_slot");
  // A clock that stands still tells nothing of the order.
  const auto [first, last] = std::ranges::minmax(started.start_ns);
  if (started.start_ns.size() > 1 && first < last) channels_.push_back("start_ns");
}

void CudaDevice::set_groups(const GpuClaim::Groups& groups) {
  facts_.gpc_of_sm = groups.gpc_of_sm;
  facts_.tpc_of_sm = groups.tpc_of_sm;
  facts_.max_cluster = groups.max_cluster;
}

std::vector<cudaStream_t>& CudaDevice::pool_of(int priority) {
  std::vector<cudaStream_t>& pool = streams_[priority];
  while (std::ssize(pool) < streams_of_priority(facts_, priority)) {
    cudaStream_t stream = nullptr;
    watched("create a stream",
            [&] { return cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority); });
    pool.push_back(stream);
  }
  return pool;
}

cudaStream_t CudaDevice::stream_for(const Kernel& kernel,
                                    std::map<std::string, cudaStream_t>& named) {
  if (kernel.stream) {
    const auto found = named.find(*kernel.stream);
    if (found != named.end()) return found->second;
  }
  const std::vector<cudaStream_t>& pool = pool_of(kernel.priority);
  const int index = streams_taken_[kernel.priority]++;
  if (index == std::ssize(pool)) {
    throw Failure(FailureCode::unsupported,
                  fmt::format("{}: more than {} streams of priority {} in one probe", kernel.name,
                              pool.size(), kernel.priority));
  }
  if (kernel.stream) named[*kernel.stream] = pool[index];
  return pool[index];
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
  if (activity_) activity_->take_configs();
  gates_.begin(probe.kernels);
  streams_taken_.clear();
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
  launches_.push([ordinal = options_.ordinal, what = probe_.kernels[kernel],
                  planned = planned_[kernel]]() mutable {
    // Which device is current is a matter of each thread.
    check(cudaSetDevice(ordinal), "use the device");
    void* arguments[] = {&planned.arguments};
    watched("launch " + what.name, [&] {
      return what.cluster
                 ? launch_clusters(what, planned.function, arguments, planned.stream)
                 : cudaLaunchKernel(planned.function, dim3(what.blocks), dim3(what.threads),
                                    arguments, what.shared, planned.stream);
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
  if (!activity_) return {};
  // Records are complete only once the host has waited; the device is idle, so this returns.
  watched("wait for the idle device", [] { return cudaDeviceSynchronize(); });
  const std::vector<int> seen = activity_->take_configs();
  if (seen.size() != launched_.size()) return {};  // records were lost: say nothing
  std::map<int, int> configs;
  for (int i = 0; i < std::ssize(launched_); ++i) configs[launched_[i]] = seen[i];
  return configs;
}

void CudaDevice::pause() { std::this_thread::yield(); }

}  // namespace cuvier::gpu
