#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace cuvier {

/// When the next block of each SM ends; a tree over the SMs has the first of them at its root.
class EndTimes {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit EndTimes(int sms)
      : leaves_(static_cast<int>(std::bit_ceil(static_cast<unsigned>(sms)))),
        first_(2 * static_cast<std::size_t>(leaves_)) {}

  void set(int sm, double at_ms) {
    End first{std::bit_cast<std::int64_t>(at_ms), sm};
    for (int node = leaves_ + sm; first_[node] != first; node /= 2) {
      first_[node] = first;
      if (node == 1) break;
      const End& beside = first_[node ^ 1];
      if (beside.at < first.at) first = beside;
    }
  }

  double first() const { return std::bit_cast<double>(first_[1].at); }
  int first_sm() const { return first_[1].sm; }

 private:
  struct End {
    /// The bits of a time, which order times from 0 on as they are. The least of two integers is
    /// taken without a branch.
    std::int64_t at = std::bit_cast<std::int64_t>(kNever);
    int sm = 0;
    bool operator==(const End&) const = default;
  };

  int leaves_;
  std::vector<End> first_;  ///< beneath each node; node n is above 2n and 2n + 1
};

/// A block that runs on an SM.
struct Running {
  double ends_at = 0;  ///< on its clock, which shows work done, not time
  int kernel = 0;
  int block = 0;

  bool operator>(const Running& other) const {
    return std::tie(ends_at, kernel, block) > std::tie(other.ends_at, other.kernel, other.block);
  }
};

/// Blocks that go equally fast, so that one clock serves all of them.
struct Lane {
  double work = 0;
  double pace = 1;               ///< milliseconds that a unit of work takes
  int kernel = -1;               ///< whose they are, if of one alone
  std::vector<Running> running;  ///< a heap: who ends first is in front

  int blocks() const { return static_cast<int>(running.size()); }
  void advance(double ms) { work = running.empty() ? 0 : work + ms / pace; }
  double ends_in_ms() const {
    return running.empty() ? EndTimes::kNever : (running[0].ends_at - work) * pace;
  }
};

/// The blocks of an SM: in a lane for all, but those of kernels whose throughput is of its own.
class SmClock {
 public:
  int warps = 0;

  void advance(double now_ms) {
    if (now_ms == at_ms_) return;
    for_each_lane([&](Lane& lane) { lane.advance(now_ms - at_ms_); });
    at_ms_ = now_ms;
  }
  double next_end_ms() const {
    double least = common_.ends_in_ms();
    for (const Lane& lane : own_) least = std::min(least, lane.ends_in_ms());
    return at_ms_ + least;
  }

  void add(int kernel, int block, double work, bool has_own_lane) {
    Lane& lane = has_own_lane ? own_lane(kernel) : common_;
    lane.running.push_back({lane.work + work, kernel, block});
    std::ranges::push_heap(lane.running, std::greater<>());
  }
  Running take_first() {
    Lane* first = &common_;
    for (Lane& lane : own_) {
      if (lane.ends_in_ms() < first->ends_in_ms()) first = &lane;
    }
    std::ranges::pop_heap(first->running, std::greater<>());
    const Running block = first->running.back();
    first->running.pop_back();
    return block;
  }

  Lane& common() { return common_; }
  const std::vector<Lane>& own_lanes() const { return own_; }
  std::vector<Lane>& own_lanes() { return own_; }

 private:
  void for_each_lane(auto&& each) {
    each(common_);
    for (Lane& lane : own_) each(lane);
  }
  Lane& own_lane(int kernel) {
    std::erase_if(own_, [&](const Lane& lane) { return lane.blocks() == 0; });
    const auto found = std::ranges::find(own_, kernel, &Lane::kernel);
    if (found != own_.end()) return *found;
    own_.push_back({.kernel = kernel, .running = {}});
    return own_.back();
  }

  double at_ms_ = 0;
  Lane common_;
  std::vector<Lane> own_;
};

}  // namespace cuvier
