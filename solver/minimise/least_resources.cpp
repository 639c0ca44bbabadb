#include "solver/minimise/least_resources.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/minimise/reductions.h"

namespace cuvier {
namespace {

constexpr int most_looks = 15'000'000;  ///< of blocks at SMs, in all probes tried
constexpr int looks_of_a_probe = 2000;  ///< what each costs beside

/// Calls visit(first, second) with all numbers from `least` to `most`, in steps, that add up to
/// the sum; ends where it is true.
template <class Visit>
bool splits(int sum, int least, int step, int most, Visit&& visit) {
  for (int first = std::max(least, sum - most); first <= std::min(most, sum - least);
       first += step) {
    if (visit(first, sum - first)) return true;
  }
  return false;
}

/// What kernels ask for beside SMs' resources. Of local memory and priorities only the order
/// matters; of streams, whether it is one.
struct Rest {
  int local_a, local_b, priority_a, priority_b;
  bool one_stream;

  std::pair<int, int> size() const {
    return {local_a + local_b, (priority_a != 0) + (priority_b != 0) + 2 * one_stream};
  }
};

std::vector<Rest> all_rests() {
  std::vector<Rest> rests;
  for (const auto& [local_a, local_b] : {std::pair{0, 0}, {0, 16}, {16, 0}}) {
    for (const auto& [priority_a, priority_b] : {std::pair{0, 0}, {0, -1}, {-1, 0}}) {
      for (const bool one_stream : {false, true}) {
        rests.push_back({local_a, local_b, priority_a, priority_b, one_stream});
      }
    }
  }
  std::ranges::stable_sort(rests, {}, &Rest::size);
  return rests;
}

class Search {
 public:
  Search(const Probe& probe, const Device& device, const std::function<bool(const Probe&)>& judge)
      : device_(device), judge_(judge), best_(size_of(probe)), candidate_(probe) {}

  /// Sum by sum.
  LeastResources run() {
    result_.complete = true;
    for (int w = 2; w <= best_.warps; ++w) {
      const int most_r = w < best_.warps ? 2 * most_registers() : best_.registers;
      for (int r = 32; r <= most_r; r += 8) {
        const bool fewer = w < best_.warps || r < best_.registers;
        const int most_s = fewer ? 2 * device_.max_shared_per_block : best_.shared;
        for (int s = 0; s <= most_s; s += 1024) {
          for (const Rest& rest : rests_) {
            if (with(w, r, s, rest)) return result_;
          }
        }
      }
    }
    return result_;
  }

 private:
  /// The largest number of registers counts as the step beyond it.
  int most_registers() const { return (device_.max_registers_per_thread + 7) / 8 * 8; }

  Kernel& first() { return candidate_.kernels[0]; }
  Kernel& second() { return candidate_.kernels[1]; }

  /// Whether the search is at its end: with kernels that ask for so much together.
  bool with(int warps, int registers, int shared, const Rest& rest) {
    first().local = rest.local_a;
    second().local = rest.local_b;
    first().priority = rest.priority_a;
    second().priority = rest.priority_b;
    first().stream = second().stream =
        rest.one_stream ? std::optional<std::string>("a") : std::nullopt;
    const int most_warps = device_.max_threads_per_block / 32;
    return splits(warps, 1, 1, most_warps, [&](int w_a, int w_b) {
      first().threads = 32 * w_a;
      second().threads = 32 * w_b;
      return splits(registers, 16, 8, most_registers(), [&](int r_a, int r_b) {
        first().registers = std::min(r_a, device_.max_registers_per_thread);
        second().registers = std::min(r_b, device_.max_registers_per_thread);
        return splits(shared, 0, 1024, device_.max_shared_per_block, [&](int s_a, int s_b) {
          first().shared = s_a;
          second().shared = s_b;
          return is_legal(first(), device_) && is_legal(second(), device_) && with_grids();
        });
      });
    });
  }

  bool with_grids() {
    for (int blocks = 1; blocks < best_.blocks; ++blocks) {
      first().blocks = blocks;
      second().blocks = best_.blocks - blocks;
      if (size_of(candidate_) >= best_) continue;
      looks_ += best_.blocks * device_.sms + looks_of_a_probe;
      if (looks_ > most_looks) {
        result_.complete = false;
        return true;
      }
      if (!judge_(candidate_)) continue;
      result_.probe = candidate_;
      return true;
    }
    return false;
  }

  const Device& device_;
  const std::function<bool(const Probe&)>& judge_;
  const ProbeSize best_;
  const std::vector<Rest> rests_ = all_rests();
  Probe candidate_;
  LeastResources result_;
  int looks_ = 0;
};

}  // namespace

LeastResources least_resources(const Probe& probe, const Device& device,
                               const std::function<bool(const Probe&)>& judge) {
  return Search(probe, device, judge).run();
}

}  // namespace cuvier
