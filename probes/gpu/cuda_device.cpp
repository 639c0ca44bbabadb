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

// A gate is host memory, and a look at it a read over the bus: the more blocks wait, the
// less often each looks, so that the bus carries some 10^8 looks a second at most.
constexpr int pause_ns_per_block = 10;
constexpr int shortest_pause_ns = 500;
constexpr int longest_pause_ns = 50'000;

// Not the bus's limit but ours: beyond it a probe takes seconds.
constexpr int most_blocks = 1 << 20;

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
  check(cudaSetDevice(options.ordinal), fmt::format("use device {}", options.ordinal));
  facts_ = read_facts(options.ordinal);
  shelf_ = std::make_unique<KernelShelf>(facts_);
  warm_up();
  find_channels();
}

/// Runs one block of every kernel without a frame, and the largest frame on a full device if
/// local memory is to grow: whatever the driver puts off to a first launch is done then.
void CudaDevice::warm_up() {
  std::set<int> counts;
  for (const KernelShelf::Entry& entry : shelf_->entries()) {
    if (entry.local == 0) counts.insert(entry.registers);
  }
  Kernel kernel;
  kernel.name = "warm";
  kernel.blocks = 1;
  kernel.threads = 32;
  for (const int registers : counts) {
    kernel.registers = registers;
    trial(kernel);
  }
  if (!options_.grow_local) return;
  const KernelShelf::Entry& largest = shelf_->largest_frame();
  kernel.registers = largest.registers;
  kernel.local = largest.local;
  kernel.blocks = facts_.sms * facts_.max_blocks_per_sm;
  trial(kernel);
}

Observation CudaDevice::trial(const Kernel& kernel) {
  Patience patience;
  patience.quiet = std::chrono::milliseconds{5};  // not yet measured
  return run_probe(*this, single(kernel), patience);
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
  const auto& configs = seen.steps[0].shared_config;
  const auto is_known = [&](int bytes) {
    return std::ranges::find(facts_.shared_configs, bytes) != facts_.shared_configs.end();
  };
  if (activity_ && !configs.empty() && is_known(configs.begin()->second)) {
    channels_.push_back("shared_config");
  }
}

void CudaDevice::set_groups(std::vector<int> gpc_of_sm, std::vector<int> tpc_of_sm) {
  facts_.gpc_of_sm = std::move(gpc_of_sm);
  facts_.tpc_of_sm = std::move(tpc_of_sm);
}

cudaStream_t CudaDevice::stream_for(const Kernel& kernel,
                                    std::map<std::string, cudaStream_t>& named) {
  if (kernel.stream) {
    const auto found = named.find(*kernel.stream);
    if (found != named.end()) return found->second;
  }
  std::vector<cudaStream_t>& pool = streams_[kernel.priority];
  const int index = streams_taken_[kernel.priority]++;
  if (index == std::ssize(pool)) {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, kernel.priority),
          "create a stream");
    pool.push_back(stream);
  }
  if (kernel.stream) named[*kernel.stream] = pool[index];
  return pool[index];
}

void CudaDevice::begin(const Probe& probe) {
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "read the range of priorities");
  int blocks = 0;
  for (const Kernel& kernel : probe.kernels) {
    if (kernel.priority < greatest || kernel.priority > least) {
      throw Failure(FailureCode::unsupported, fmt::format("{}: priorities go from {} to {} here",
                                                          kernel.name, greatest, least));
    }
    if (kernel.blocks > most_blocks - blocks) {
      throw Failure(FailureCode::unsupported,
                    fmt::format("more than {} blocks in one probe", most_blocks));
    }
    blocks += kernel.blocks;
  }
  std::vector<Planned> planned;
  for (const Kernel& kernel : probe.kernels) {
    planned.push_back({shelf_->find(kernel).claim.function, {}, nullptr});
  }
  probe_ = probe;
  launched_.clear();
  if (activity_) activity_->take_configs();
  gates_.begin(probe.kernels);
  streams_taken_.clear();
  std::map<std::string, cudaStream_t> named;
  for (int k = 0; k < std::ssize(planned); ++k) {
    GateArguments& arguments = planned[k].arguments;
    arguments = gates_.arguments(k);
    arguments.fail_safe_ns = fail_safe.count();
    arguments.pause_ns =
        std::clamp(blocks * pause_ns_per_block, shortest_pause_ns, longest_pause_ns);
    arguments.frame_word = 0;
    arguments.never = nullptr;
    planned[k].stream = stream_for(probe.kernels[k], named);
  }
  planned_ = std::move(planned);
}

void CudaDevice::launch(int kernel) {
  launched_.push_back(kernel);
  gates_.watch(kernel);
  launches_.push([ordinal = options_.ordinal, what = probe_.kernels[kernel],
                  planned = planned_[kernel]]() mutable {
    // Which device is current is a matter of each thread.
    check(cudaSetDevice(ordinal), "use the device");
    void* arguments[] = {&planned.arguments};
    check(cudaLaunchKernel(planned.function, dim3(what.blocks), dim3(what.threads), arguments,
                           what.shared, planned.stream),
          "launch " + what.name);
  });
}

void CudaDevice::release(const std::vector<Release>& releases) {
  for (const Release& release : releases) {
    for (const int block : release.blocks) gates_.open(release.kernel, block);
  }
}

bool CudaDevice::idle() {
  if (!launches_.empty()) return false;
  for (const Planned& planned : planned_) {
    const cudaError_t error = cudaStreamQuery(planned.stream);
    if (error == cudaErrorNotReady) return false;
    check(error, "run the probe's kernels");
  }
  return true;
}

std::map<int, int> CudaDevice::shared_configs() {
  if (!activity_) return {};
  // Records are complete only once the host has waited; the device is idle, so this returns.
  check(cudaDeviceSynchronize(), "wait for the idle device");
  const std::vector<int> seen = activity_->take_configs();
  if (seen.size() != launched_.size()) return {};  // records were lost: say nothing
  std::map<int, int> configs;
  for (int i = 0; i < std::ssize(launched_); ++i) configs[launched_[i]] = seen[i];
  return configs;
}

void CudaDevice::pause() { std::this_thread::yield(); }

}  // namespace cuvier::gpu
