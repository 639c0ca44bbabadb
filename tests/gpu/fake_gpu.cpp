#include "tests/gpu/fake_gpu.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include "hypotheses/axes/warp_placement.h"

namespace cuvier::gpu {
namespace {

constexpr std::chrono::microseconds between_looks{20};
constexpr std::chrono::microseconds grace{50};
void set(BlockState& state, BlockState value) {
  std::atomic_ref(state).store(value, std::memory_order_release);
}

/// The last of these blocks, which then is none of them.
Step leave_last_out(Started& started) {
  const auto blocks = started.warp_slot.by_block();
  Step step;
  step.started = {
      {started.kernel, {started.block.back()}, {started.sm.back()}, {blocks.back()}, {}}};
  started.block.pop_back();
  started.sm.pop_back();
  started.warp_slot.row().resize(started.warp_slot.row().size() - blocks.back().size());
  return step;
}

bool is_open(const std::uint32_t& gate) {
  // The device may not write to it, and atomic_ref takes no const.
  return std::atomic_ref(const_cast<std::uint32_t&>(gate)).load(std::memory_order_acquire) != 0;
}

/// A GPU is never without a processor: where we may, our thread goes before all that is not so
/// urgent.
void go_first() {
  sched_param urgent{};
  urgent.sched_priority = sched_get_priority_min(SCHED_FIFO);
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &urgent);
}

}  // namespace

FakeGpu::FakeGpu(const Device& device, const Hypothesis& mechanism, Manners& manners)
    : manners_(manners), simulator_(device, mechanism) {
  std::thread([this] { live(); }).detach();
}

void FakeGpu::launch(FakeLaunch launch) {
  std::unique_lock lock(mutex_);
  if (launch.kernel.local > largest_frame_) {
    something_left_.wait(lock, [&] { return launches_.empty(); });
    largest_frame_ = launch.kernel.local;
  }
  if (waits_for_connection(launch)) {
    held_.push_back(std::move(launch));
    return;
  }
  hand_over(std::move(launch));
  agenda_.run_until(Clock::now());
  work_.notify_one();
}

/// What was launched on its connection before and has not all started; its own stream is the
/// scheduler's affair.
bool FakeGpu::waits_for_connection(const FakeLaunch& launch) const {
  for (std::size_t k = 0; k < launches_.size(); ++k) {
    if (launches_[k].connection == launch.connection && launches_[k].stream != launch.stream &&
        waiting_[k] > 0) {
      return true;
    }
  }
  return std::ranges::find(held_, launch.connection, &FakeLaunch::connection) != held_.end();
}

void FakeGpu::hand_over_held() {
  std::vector<FakeLaunch> held = std::exchange(held_, {});
  for (FakeLaunch& launch : held) {
    if (waits_for_connection(launch)) {
      held_.push_back(std::move(launch));
    } else {
      hand_over(std::move(launch));
    }
  }
}

void FakeGpu::hand_over(FakeLaunch launch) {
  const int index = static_cast<int>(launches_.size());
  launch.kernel.name = "k" + std::to_string(index);
  launch.kernel.stream = std::to_string(reinterpret_cast<std::uintptr_t>(launch.stream));
  const auto wrong_block = [&](Unkindness kind) {
    return manners_.wrong_block(kind, launch.kernel.blocks, device().sms);
  };
  launch.block_of_bad_smid = wrong_block(Unkindness::bad_smid);
  launch.block_of_bad_slot = wrong_block(Unkindness::bad_slot);
  probe_.kernels.push_back(launch.kernel);
  unfinished_.push_back(launch.kernel.blocks);
  waiting_.push_back(launch.kernel.blocks);
  launches_.push_back(std::move(launch));
  Action action;
  action.launch = index;
  Step step = act(action);
  config_ = step.shared_config.at(index);
  const Kernel& kernel = launches_.back().kernel;
  if (manners_.is_short_of_room(kernel.blocks, device().sms * device().max_blocks_per_sm,
                                kernel.local)) {
    left_out_ = leave_last_out(step.started.back());
  }
  begin_blocks(step, Clock::now() + manners_.launch_to_start());
}

bool FakeGpu::changes_carve_out(const Kernel& kernel) {
  const std::lock_guard lock(mutex_);
  if (launches_.empty()) return false;
  Probe alone;
  alone.kernels = {kernel};
  alone.kernels[0].blocks = 1;
  alone.kernels[0].cluster.reset();
  alone.script = {{0, {}}};
  return simulator_.preview(alone).steps[0].shared_config.at(0) != config_;
}

void FakeGpu::run(const void* stream, std::function<void()> kernel) {
  const std::lock_guard lock(mutex_);
  ++ungated_[stream];
  agenda_.add(Clock::now() + manners_.launch_to_start(),
              [this, stream, kernel = std::move(kernel)] {
                kernel();
                --ungated_[stream];
                something_left_.notify_all();
              });
  agenda_.run_until(Clock::now());
  work_.notify_one();
}

int FakeGpu::most_on_one_sm(const Kernel& kernel) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] =
      most_on_one_sm_.insert({{kernel.threads, kernel.registers, kernel.local, kernel.shared}, 0});
  if (!is_new || !is_legal(kernel, device())) return entry->second;
  Probe full;
  full.kernels = {kernel};
  full.kernels[0].blocks = device().sms * device().max_blocks_per_sm + 1;
  full.script = {{0, {}}};
  const Observation seen = predict(device(), simulator_.hypothesis(), full);
  std::map<int, int> on_sm;
  for (const Started& started : seen.steps[0].started) {
    for (const int sm : started.sm) entry->second = std::max(entry->second, ++on_sm[sm]);
  }
  return entry->second;
}

bool FakeGpu::stream_is_idle(const void* stream) const {
  for (std::size_t k = 0; k < launches_.size(); ++k) {
    if (launches_[k].stream == stream && unfinished_[k] > 0) return false;
  }
  if (std::ranges::find(held_, stream, &FakeLaunch::stream) != held_.end()) return false;
  const auto ungated = ungated_.find(stream);
  return ungated == ungated_.end() || ungated->second == 0;
}

bool FakeGpu::idle(const void* stream) {
  const std::lock_guard lock(mutex_);
  return stream_is_idle(stream);
}

void FakeGpu::wait_until_idle(const void* stream) {
  std::unique_lock lock(mutex_);
  something_left_.wait(lock, [&] { return stream_is_idle(stream); });
}

void FakeGpu::wait_until_idle() {
  std::unique_lock lock(mutex_);
  something_left_.wait(lock, [&] { return launches_.empty() && held_.empty() && agenda_.empty(); });
}

void FakeGpu::catch_up() {
  const std::lock_guard lock(mutex_);
  agenda_.run_until(Clock::now());
}

/// The same for all of a probe; null: nothing happens that nobody controls.
std::unique_ptr<Choices> FakeGpu::choices() const {
  if (!launches_.back().gate.spin) return nullptr;
  return std::make_unique<DrawnChoices>(probes_);
}

/// What the scheduler does next.
Step FakeGpu::act(const Action& action) {
  probe_.script.push_back(action);
  return simulator_.preview(probe_, choices().get()).steps.back();
}

/// Lets the host see from then on that these blocks have started.
void FakeGpu::begin_blocks(const Step& step, Clock::time_point when) {
  for (const Started& started : step.started) {
    for (std::size_t i = 0; i < started.block.size(); ++i) {
      agenda_.add(when, start_of(started, i, when));
      shut_in_.push_back({started.kernel, started.block[i], when, false});
      ++seen_inside_;
      --waiting_[started.kernel];
      when += manners_.start_to_start();
    }
  }
}

/// What a block writes when it starts.
std::function<void()> FakeGpu::start_of(const Started& started, std::size_t index,
                                        Clock::time_point when) {
  const int block = started.block[index];
  const FakeLaunch& launch = launches_[started.kernel];
  // The simulator names subpartitions; a slot is one of them and a turn within it.
  std::array<int, kSubpartitions> turn{};
  std::vector<std::uint8_t> slots;
  for (const int subpartition : started.warp_slot[index]) {
    slots.push_back(
        static_cast<std::uint8_t>(subpartition + kSubpartitions * turn[subpartition]++));
  }
  if (block == launch.block_of_bad_slot) slots.back() += device().max_warps_per_sm;
  const int sm = started.sm[index] + (block == launch.block_of_bad_smid ? device().sms : 0);
  return [this, slots = std::move(slots), sm, when,
          to = launch.gate.warp_slots + static_cast<std::size_t>(block) * max_warps_per_block,
          &record = launch.gate.records[block]] {
    std::ranges::copy(slots, to);
    record.sm = sm;
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch());
    stamp_ns_ = std::max<std::uint64_t>(stamp_ns_ + 1, ns.count());
    record.start_ns = manners_.device_ns(stamp_ns_);
    set(record.state, BlockState::waiting);
  };
}

/// A release has come to its end when no further gate opens for a while, or none is left.
void FakeGpu::look_at_gates(Clock::time_point now) {
  std::size_t open = 0;
  for (Inside& inside : shut_in_) {
    if (!inside.open && is_open(launches_[inside.kernel].gate.gates[inside.block])) {
      inside.open = true;
      last_opened_ = now;
    }
    open += inside.open;
  }
  if (open == 0 || (open < shut_in_.size() && now - last_opened_ < grace)) return;
  let_go();
}

bool FakeGpu::some_wait() const {
  return std::accumulate(unfinished_.begin(), unfinished_.end(), 0) > seen_inside_;
}

/// Also those that the host has yet to see start, if everything is open: they leave after that.
void FakeGpu::let_go() {
  auto first_open = std::stable_partition(shut_in_.begin(), shut_in_.end(),
                                          [](const Inside& inside) { return !inside.open; });
  if (some_wait()) {
    first_open =
        shut_in_.end() - manners_.first_to_leave(static_cast<int>(shut_in_.end() - first_open));
  }
  const std::vector<Inside> opened(first_open, shut_in_.end());
  shut_in_.erase(first_open, shut_in_.end());
  std::map<int, std::vector<int>> blocks;
  for (const Inside& inside : opened) blocks[inside.kernel].push_back(inside.block);
  Action action;
  for (auto& [kernel, of_kernel] : blocks) {
    std::ranges::sort(of_kernel);
    action.releases.push_back({kernel, of_kernel});
  }
  const Step step = act(action);
  const Clock::time_point now = Clock::now();
  std::vector<Clock::time_point> exits;
  for (const Inside& inside : opened) {
    exits.push_back(std::max(now, inside.start) + manners_.open_to_exit());
  }
  // At one time the kind device shows what comes before it shows what leaves.
  const Clock::time_point next = *std::ranges::max_element(exits) + manners_.exit_to_start();
  begin_blocks(step, next);
  begin_blocks(std::exchange(left_out_, {}), next);
  for (std::size_t i = 0; i < opened.size(); ++i) {
    agenda_.add(exits[i], [this, kernel = opened[i].kernel, block = opened[i].block] {
      left(kernel, block);
    });
  }
  hand_over_held();
}

void FakeGpu::left(int kernel, int block) {
  set(launches_[kernel].gate.records[block].state, BlockState::leaving);
  --unfinished_[kernel];
  if (--seen_inside_ == 0) {
    simulator_.run(probe_, choices().get());
    ++probes_;
    probe_ = {};
    launches_.clear();
    unfinished_.clear();
    waiting_.clear();
  }
  something_left_.notify_all();
}

void FakeGpu::live() {
  go_first();
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return !agenda_.empty() || !shut_in_.empty(); });
    const Clock::time_point now = Clock::now();
    look_at_gates(now);
    agenda_.run_until(Clock::now());
    Clock::time_point next = now + between_looks;
    if (!agenda_.empty()) next = std::min(next, agenda_.next());
    lock.unlock();
    std::this_thread::sleep_until(next);
    lock.lock();
  }
}

}  // namespace cuvier::gpu
