#include "tests/gpu/fake_gpu.h"

#include <array>
#include <atomic>
#include <string>

#include "hypotheses/axes/warp_placement.h"

namespace cuvier::gpu {
namespace {

constexpr std::chrono::microseconds between_looks{20};

void set(BlockState& state, BlockState value) {
  std::atomic_ref(state).store(value, std::memory_order_release);
}

bool is_open(const std::uint32_t& gate) {
  // The device may not write to it, and atomic_ref takes no const.
  return std::atomic_ref(const_cast<std::uint32_t&>(gate)).load(std::memory_order_acquire) != 0;
}

}  // namespace

FakeGpu::FakeGpu(const Device& device, const Hypothesis& mechanism)
    : simulator_(device, mechanism) {
  std::thread([this] { watch_gates(); }).detach();
}

void FakeGpu::launch(FakeLaunch launch) {
  std::unique_lock lock(mutex_);
  if (launch.kernel.local > largest_frame_) {
    became_idle_.wait(lock, [&] { return launches_.empty(); });
    largest_frame_ = launch.kernel.local;
  }
  const int index = static_cast<int>(launches_.size());
  launch.kernel.name = "k" + std::to_string(index);
  launch.kernel.stream = std::to_string(reinterpret_cast<std::uintptr_t>(launch.stream));
  probe_.kernels.push_back(launch.kernel);
  unfinished_.push_back(launch.kernel.blocks);
  launches_.push_back(std::move(launch));
  Action action;
  action.launch = index;
  act(action);
}

bool FakeGpu::idle(const void* stream) {
  const std::lock_guard lock(mutex_);
  for (std::size_t k = 0; k < launches_.size(); ++k) {
    if (launches_[k].stream == stream && unfinished_[k] > 0) return false;
  }
  return true;
}

void FakeGpu::act(const Action& action) {
  probe_.script.push_back(action);
  const Step step = simulator_.preview(probe_).steps.back();
  for (const Started& started : step.started) {
    const GateArguments& gate = launches_[started.kernel].gate;
    for (std::size_t i = 0; i < started.block.size(); ++i) {
      const int block = started.block[i];
      // The simulator names subpartitions; a slot is one of them and a turn within it.
      std::array<int, kSubpartitions> turn{};
      for (std::size_t warp = 0; warp < started.warp_slot[i].size(); ++warp) {
        const int subpartition = started.warp_slot[i][warp];
        gate.warp_slots[block * max_warps_per_block + warp] =
            static_cast<std::uint8_t>(subpartition + kSubpartitions * turn[subpartition]++);
      }
      gate.records[block].sm = started.sm[i];
      gate.records[block].start_ns = ++clock_ns_;
      set(gate.records[block].state, BlockState::waiting);
      resident_.emplace_back(started.kernel, block);
    }
  }
}

void FakeGpu::watch_gates() {
  for (;;) {
    std::this_thread::sleep_for(between_looks);
    const std::lock_guard lock(mutex_);
    std::map<int, std::vector<int>> opened;
    std::erase_if(resident_, [&](const std::pair<int, int>& block) {
      if (!is_open(launches_[block.first].gate.gates[block.second])) return false;
      opened[block.first].push_back(block.second);
      return true;
    });
    if (!opened.empty()) let_go(opened);
  }
}

void FakeGpu::let_go(const std::map<int, std::vector<int>>& opened) {
  Action action;
  for (const auto& [kernel, blocks] : opened) action.releases.push_back({kernel, blocks});
  act(action);
  for (const auto& [kernel, blocks] : opened) {
    for (const int block : blocks) {
      set(launches_[kernel].gate.records[block].state, BlockState::leaving);
    }
    unfinished_[kernel] -= static_cast<int>(blocks.size());
  }
  if (!resident_.empty()) return;
  simulator_.run(probe_);
  probe_ = {};
  launches_.clear();
  unfinished_.clear();
  became_idle_.notify_all();
}

}  // namespace cuvier::gpu
