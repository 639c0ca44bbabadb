#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "corpus/imports/imports.h"
#include "probes/an_error.h"
#include "probes/exact_steps.h"

namespace cuvier {
namespace {

// A block starts within so many seconds of what let it in: some microseconds on GPUs. What ends in
// less is one release.
constexpr double latency = 50e-6;

/// Kernels that differ in nothing that decides who goes first.
bool asks_the_same(const Kernel& a, const Kernel& b) {
  return a.threads == b.threads && a.registers == b.registers && a.shared == b.shared &&
         a.priority == b.priority && a.cluster == b.cluster;
}

bool in_one_stream(const Kernel& a, const Kernel& b) { return a.stream && a.stream == b.stream; }

/// Whether neither call had returned when the other was made.
bool overlap(const TimedKernel& a, const TimedKernel& b) {
  return a.call < b.returned && b.call < a.returned;
}

double first_start(const TimedKernel& k) {
  return std::ranges::min_element(k.blocks, {}, &TimedBlock::start)->start;
}

struct Event {
  enum class What { launch, end, start };
  double time;
  What what;
  int kernel;
  int block = 0;

  auto operator<=>(const Event&) const = default;
};

class Timeline {
 public:
  explicit Timeline(const std::vector<TimedKernel>& kernels) : kernels_(kernels) {}

  Imported run(const std::string& name) {
    probe_.name = name;
    for (const TimedKernel& k : kernels_) probe_.kernels.push_back(k.kernel);
    expect_known_order();
    for (const Event& event : events()) {
      if (event.what == Event::What::launch) begin_action(event.time).launch = event.kernel;
      if (event.what == Event::What::end) end(event);
      if (event.what == Event::What::start) start(event);
    }
    drop_last_releases();
    const int exact = exact_steps(seen_, probe_);
    return {{probe_, facts_of(seen_, probe_), true, name},
            exact < std::ssize(probe_.script) ? std::optional(exact) : std::nullopt};
  }

 private:
  std::string block_words(int kernel, int block) const {
    return fmt::format("block {} of {}", block, kernels_[kernel].kernel.name);
  }

  /// Of launches whose calls overlap the first to start blocks was first, if that says anything.
  void expect_known_order() const {
    for (const TimedKernel& a : kernels_) {
      for (const TimedKernel& b : kernels_) {
        if (!overlap(a, b) || asks_the_same(a.kernel, b.kernel) ||
            in_one_stream(a.kernel, b.kernel)) {
          continue;
        }
        throw an_error(
            "{} and {} were launched at once (calls of {:.9f} to {:.9f} s and {:.9f} to {:.9f} s) "
            "and ask for different things: which was first is not told",
            a.kernel.name, b.kernel.name, a.call, a.returned, b.call, b.returned);
      }
    }
  }

  /// When the kernel joined the queue: as its first block started, or, if some block ended between
  /// the call and that, so that it may have waited, when the call had returned.
  double joined(const TimedKernel& k) const {
    const double start = first_start(k);
    for (const TimedKernel& other : kernels_) {
      for (int b = 0; b < std::ssize(other.blocks); ++b) {
        const double end = other.blocks[b].end;
        if (end < k.call || end > start) continue;
        if (end < k.returned) {
          throw an_error(
              "a block of {} ended (at {:.9f} s) while {} was being launched: "
              "whether that waited for it is not told",
              other.kernel.name, end, k.kernel.name);
        }
        return k.returned;
      }
    }
    return start;
  }

  std::vector<Event> events() const {
    std::vector<Event> events;
    for (int k = 0; k < std::ssize(kernels_); ++k) {
      events.push_back({joined(kernels_[k]), Event::What::launch, k});
      for (int b = 0; b < std::ssize(kernels_[k].blocks); ++b) {
        events.push_back({kernels_[k].blocks[b].start, Event::What::start, k, b});
        events.push_back({kernels_[k].blocks[b].end, Event::What::end, k, b});
      }
    }
    std::ranges::sort(events);
    order_launches(events);
    return events;
  }

  /// Of kernels whose launches overlap, the one that started first was first.
  void order_launches(std::vector<Event>& events) const {
    for (auto later = events.begin(); later != events.end(); ++later) {
      for (auto earlier = events.begin(); earlier != later; ++earlier) {
        if (earlier->what != Event::What::launch || later->what != Event::What::launch) continue;
        const TimedKernel& one = kernels_[earlier->kernel];
        const TimedKernel& other = kernels_[later->kernel];
        if (overlap(one, other) && first_start(other) < first_start(one)) {
          std::swap(earlier->kernel, later->kernel);
        }
      }
    }
  }

  Action& begin_action(double time) {
    action_before_ = action_;
    action_ = time;
    seen_.steps.emplace_back();
    return probe_.script.emplace_back();
  }

  bool anything_started() const { return !seen_.steps.back().started.empty(); }

  void end(const Event& event) {
    const bool joins = !probe_.script.empty() && !probe_.script.back().launch &&
                       !anything_started() && event.time - action_ < latency;
    Action& action = joins ? probe_.script.back() : begin_action(event.time);
    action_ = event.time;
    auto release = std::ranges::find(action.releases, event.kernel, &Release::kernel);
    if (release == action.releases.end()) {
      action.releases.push_back({event.kernel, {}});
      release = action.releases.end() - 1;
    }
    release->blocks.push_back(event.block);
    std::ranges::sort(release->blocks);
  }

  void start(const Event& event) {
    const Action& action = probe_.script.back();
    if (action.launch && *action.launch != event.kernel) {
      throw an_error(
          "{} starts (at {:.9f} s) after {} was launched, and nothing ended in "
          "between: what let it in is not told",
          block_words(event.kernel, event.block), event.time, probe_.kernels[*action.launch].name);
    }
    if (!action.launch && action_before_ > 0 && event.time - action_before_ < latency &&
        !probe_.script[probe_.script.size() - 2].launch) {
      throw an_error(
          "{} starts at {:.9f} s, {:.0f} us after a block ended and {:.0f} us after an earlier "
          "one: which of them let it in is not told",
          block_words(event.kernel, event.block), event.time, (event.time - action_) * 1e6,
          (event.time - action_before_) * 1e6);
    }
    std::vector<Started>& all = seen_.steps.back().started;
    auto at = std::ranges::lower_bound(all, event.kernel, {}, &Started::kernel);
    if (at == all.end() || at->kernel != event.kernel)
      at = all.insert(at, {event.kernel, {}, {}, {}, {}});
    const auto place = std::ranges::lower_bound(at->block, event.block) - at->block.begin();
    at->block.insert(at->block.begin() + place, event.block);
    at->sm.insert(at->sm.begin() + place, kernels_[event.kernel].blocks[event.block].sm);
  }

  /// Where nobody waits any more, what leaves shows nothing.
  void drop_last_releases() {
    while (!probe_.script.empty() && !probe_.script.back().launch && !anything_started()) {
      probe_.script.pop_back();
      seen_.steps.pop_back();
    }
  }

  const std::vector<TimedKernel>& kernels_;
  Probe probe_;
  Observation seen_;
  double action_ = 0;         ///< the latest time of the last action
  double action_before_ = 0;  ///< of the one before; 0: none
};

}  // namespace

Imported imported(const std::vector<TimedKernel>& kernels, const std::string& name) {
  return Timeline(kernels).run(name);
}

}  // namespace cuvier
