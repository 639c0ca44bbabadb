#include "probes/gpu/gate_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>

#include "probes/gpu/cuda_check.h"

namespace cuvier::gpu {
namespace {

constexpr int least_capacity = 1 << 14;

template <class Mapped>
void allocate(Mapped& memory, std::size_t count) {
  const char* what = "allocate memory that host and device share";
  watched(what, [&] {
    return cudaHostAlloc(reinterpret_cast<void**>(&memory.host), count * sizeof(*memory.host),
                         cudaHostAllocMapped | cudaHostAllocPortable);
  });
  check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&memory.device), memory.host, 0), what);
}

}  // namespace

void GateMemory::free() {
  const char* what = "free memory that host and device share";
  watched(what, [&] { return cudaFreeHost(records_.host); });
  watched(what, [&] { return cudaFreeHost(slots_.host); });
  watched(what, [&] { return cudaFreeHost(gates_.host); });
  capacity_ = 0;
}

void GateMemory::reserve(int blocks) {
  if (blocks <= capacity_) return;
  if (capacity_ > 0) free();
  const int capacity = std::max(blocks, least_capacity);
  allocate(records_, capacity);
  allocate(slots_, static_cast<std::size_t>(capacity) * max_warps_per_block);
  allocate(gates_, capacity);
  capacity_ = capacity;
}

void GateMemory::begin(const std::vector<Kernel>& kernels) {
  first_.clear();
  warps_.clear();
  blocks_ = 0;
  for (const Kernel& kernel : kernels) {
    first_.push_back(blocks_);
    warps_.push_back(kernel.warps());
    blocks_ += kernel.blocks;
  }
  first_.push_back(blocks_);
  reserve(blocks_);
  absent_.assign(kernels.size(), {});
  inside_.assign(kernels.size(), {});
  std::memset(records_.host, 0, blocks_ * sizeof(BlockRecord));
  std::memset(gates_.host, 0, blocks_ * sizeof(std::uint32_t));
}

GateArguments GateMemory::arguments(int kernel) const {
  GateArguments arguments{};
  arguments.records = records_.device + first_[kernel];
  arguments.warp_slots =
      slots_.device + static_cast<std::size_t>(first_[kernel]) * max_warps_per_block;
  arguments.gates = gates_.device + first_[kernel];
  return arguments;
}

void GateMemory::watch(int kernel) {
  absent_[kernel].resize(first_[kernel + 1] - first_[kernel]);
  std::iota(absent_[kernel].begin(), absent_[kernel].end(), 0);
}

void GateMemory::open(int kernel, int block) {
  std::atomic_ref(gates_.host[first_[kernel] + block]).store(1, std::memory_order_release);
}

void GateMemory::open_all() {
  for (int block = 0; block < blocks_; ++block) {
    std::atomic_ref(gates_.host[block]).store(1, std::memory_order_release);
  }
}

BlockState GateMemory::state_of(int kernel, int block) const {
  return std::atomic_ref(records_.host[first_[kernel] + block].state)
      .load(std::memory_order_acquire);
}

BlockStart GateMemory::start_of(int kernel, int block) const {
  const int index = first_[kernel] + block;
  const BlockRecord& record = records_.host[index];
  const std::uint8_t* slots = slots_.host + static_cast<std::size_t>(index) * max_warps_per_block;
  return {kernel, block, static_cast<int>(record.sm),
          std::vector<int>(slots, slots + warps_[kernel]),
          static_cast<std::int64_t>(record.start_ns)};
}

Events GateMemory::poll() {
  Events events;
  for (int kernel = 0; kernel < std::ssize(absent_); ++kernel) {
    std::erase_if(absent_[kernel], [&](int block) {
      if (state_of(kernel, block) == BlockState::absent) return false;
      events.started.push_back(start_of(kernel, block));
      inside_[kernel].push_back(block);
      return true;
    });
    std::erase_if(inside_[kernel], [&](int block) {
      const BlockState state = state_of(kernel, block);
      if (state == BlockState::waiting) return false;
      events.left.push_back({kernel, block, state == BlockState::abandoned});
      return true;
    });
  }
  return events;
}

}  // namespace cuvier::gpu
