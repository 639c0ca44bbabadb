#include "solver/infer/coverage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "probes/family.h"

namespace cuvier {
namespace {

/// A launch, and what it meets.
struct Launch {
  const Device& device;
  const Kernel& kernel;
  int launched = 0;               ///< kernels of the probe before it
  int blocks = 0;                 ///< on the device
  int warps = 0;                  ///< likewise
  bool waiting = false;           ///< a kernel before it has blocks that wait
  bool waits = false;             ///< it has, too, after its step
  bool some_left = false;         ///< blocks of kernels that stayed were released before
  bool kernels_left = false;      ///< whole kernels were
  int probes = 0;                 ///< of its session, before this one
  int releases = 0;               ///< since the device was idle
  bool asks_the_same = false;     ///< of each block, as the kernel launched before it
  const Kernel* ahead = nullptr;  ///< in its stream, launched before it
};

/// The first class whose upper bound the value does not exceed.
int below(int value, auto... bounds) {
  const std::array all{bounds...};
  const auto found = std::ranges::find_if(all, [&](int bound) { return value <= bound; });
  return static_cast<int>(found - all.begin());
}

using Names = std::span<const std::string_view>;

constexpr std::string_view kWarps[] = {"1", "2",       "3",  "4",        "5 to 7",
                                       "8", "9 to 15", "16", "17 to 31", "32 or more"};
constexpr std::string_view kThreads[] = {"whole warps", "part of a warp"};
constexpr std::string_view kRegisters[] = {"to 24", "to 32", "to 64", "to 128", "to 254", "255"};
constexpr std::string_view kEights[] = {"a multiple of 8", "one more", "one less", "another"};
constexpr std::string_view kShared[] = {"none",      "to 1 KiB",  "to 8 KiB",
                                        "to 20 KiB", "to 48 KiB", "more"};
constexpr std::string_view kUnits[] = {"a multiple of 1024", "of 128", "to 16 past one", "another"};
constexpr std::string_view kLocal[] = {"none", "to 512 bytes", "more"};
constexpr std::string_view kPriority[] = {"default", "one higher", "more"};
constexpr std::string_view kStream[] = {"of its own", "a shared one", "behind another kernel",
                                        "behind one of such blocks", "behind one of such a grid"};
constexpr std::string_view kCluster[] = {"none", "1", "2", "a power of two from 4",
                                         "3, 5, 6, 7, 9, ..."};
constexpr std::string_view kGrid[] = {"1",
                                      "to 4",
                                      "less than the SMs",
                                      "the SMs",
                                      "to twice",
                                      "twice and some",
                                      "three times and some",
                                      "more",
                                      "more than an idle device has capacity for"};
constexpr std::string_view kMeets[] = {"an idle device", "blocks", "kernels that wait"};
constexpr std::string_view kHeld[] = {"none", "to a quarter", "to half", "to three quarters",
                                      "more"};
constexpr std::string_view kStarts[] = {"at once", "later, or in part"};
constexpr std::string_view kBefore[] = {"nothing left", "kernels left", "single blocks left"};
constexpr std::string_view kReleases[] = {"none", "1 or 2", "3 to 6", "7 to 14", "more"};
constexpr std::string_view kAlike[] = {"unlike that of the kernel before", "like it"};
constexpr std::string_view kKernels[] = {"none", "1 or 2", "3 to 5", "6 to 15", "more"};
constexpr std::string_view kProbes[] = {"none", "1 to 6", "7 to 29", "30 or more"};

int of_eights(int registers) {
  constexpr std::array by_rest{0, 1, 3, 3, 3, 3, 3, 2};
  return by_rest[registers % 8];
}

int of_units(int shared) {
  if (shared % 1024 == 0) return 0;
  if (shared % 128 == 0) return 1;
  return shared % 128 <= 16 ? 2 : 3;
}

int of_grid(const Launch& l) {
  constexpr int some = 5;  // as many past twice the SMs are about twice
  const Device& device = l.device;
  const int blocks = l.kernel.blocks;
  if (l.blocks == 0 && l.waits) return std::ssize(kGrid) - 1;
  if (blocks <= 4) return blocks == 1 ? 0 : 1;
  return 2 + below(blocks, device.sms - 1, device.sms, 2 * device.sms - 1, 2 * device.sms + some,
                   3 * device.sms + some);
}

int of_cluster(int blocks) {
  if (blocks <= 2) return blocks;
  return std::has_single_bit(static_cast<unsigned>(blocks)) ? 3 : 4;
}

int of_stream(const Launch& l) {
  if (!l.kernel.stream) return 0;
  if (!l.ahead) return 1;
  if (!asks_the_same(l.kernel, *l.ahead)) return 2;
  return l.kernel.blocks == l.ahead->blocks ? 4 : 3;
}

struct Feature {
  std::string_view name;
  Names classes;
  int (*of)(const Launch& launch);
  bool needs_clusters = false;
};

const std::array kFeatures{
    Feature{"warps per block", kWarps,
            [](const Launch& l) { return below(l.kernel.warps(), 1, 2, 3, 4, 7, 8, 15, 16, 31); }},
    Feature{"threads per block", kThreads,
            [](const Launch& l) { return l.kernel.threads % 32 == 0 ? 0 : 1; }},
    Feature{"registers per thread", kRegisters,
            [](const Launch& l) { return below(l.kernel.registers, 24, 32, 64, 128, 254); }},
    Feature{"registers, by eights", kEights,
            [](const Launch& l) { return of_eights(l.kernel.registers); }},
    Feature{"shared memory per block", kShared,
            [](const Launch& l) { return below(l.kernel.shared, 0, 1024, 8192, 20480, 49152); }},
    Feature{"shared memory, by units", kUnits,
            [](const Launch& l) { return of_units(l.kernel.shared); }},
    Feature{"local memory per thread", kLocal,
            [](const Launch& l) { return below(l.kernel.local, 0, 512); }},
    Feature{"priority", kPriority,
            [](const Launch& l) { return std::clamp(-l.kernel.priority, 0, 2); }},
    Feature{"stream", kStream, of_stream},
    Feature{"blocks in a cluster", kCluster,
            [](const Launch& l) { return of_cluster(l.kernel.cluster.value_or(0)); },
            /*needs_clusters=*/true},
    Feature{"blocks of the grid", kGrid, of_grid},
    Feature{"it meets", kMeets,
            [](const Launch& l) { return l.waiting      ? 2
                                         : l.blocks > 0 ? 1
                                                        : 0; }},
    Feature{"of all warps held", kHeld,
            [](const Launch& l) {
              const int quarter = l.device.sms * l.device.max_warps_per_sm / 4;
              return below(l.warps, 0, quarter, 2 * quarter, 3 * quarter);
            }},
    Feature{"it starts", kStarts, [](const Launch& l) { return l.waits ? 1 : 0; }},
    Feature{"before it in the probe", kBefore,
            [](const Launch& l) { return l.some_left      ? 2
                                         : l.kernels_left ? 1
                                                          : 0; }},
    Feature{"releases before it", kReleases,
            [](const Launch& l) { return below(l.releases, 0, 2, 6, 14); }},
    Feature{"its block", kAlike, [](const Launch& l) { return l.asks_the_same ? 1 : 0; }},
    Feature{"kernels before it", kKernels,
            [](const Launch& l) { return below(l.launched, 0, 2, 5, 15); }},
    Feature{"probes before it in its session", kProbes,
            [](const Launch& l) { return below(l.probes, 0, 6, 29); }},
};

bool is_asked(const Feature& feature, const Device& device) {
  return !feature.needs_clusters || device.largest_cluster() > 0;
}

}  // namespace

Coverage::Coverage(const Device& device) : device_(device) {
  for (const Feature& feature : kFeatures) {
    launches_.resize(launches_.size() + feature.classes.size());
  }
  seen_.resize(launches_.size() * launches_.size());
}

/// Of each launch its classes, by feature: numbers among all classes.
std::vector<std::vector<int>> Coverage::launches(const Answer& answer) const {
  const Probe& probe = answer.probe;
  std::vector<std::vector<int>> launches;
  std::vector<int> started(probe.kernels.size());
  std::vector<int> released(probe.kernels.size());
  std::vector<int> launched;
  bool some_left = false;
  bool kernels_left = false;
  int releases = 0;
  const auto waits = [&](int k) { return started[k] < probe.kernels[k].blocks; };
  for (std::size_t step = 0; step < answer.seen.steps.size(); ++step) {
    const Action& action = probe.script[step];
    for (const Release& release : action.releases) {
      const bool whole = release.blocks.empty();
      (whole ? kernels_left : some_left) = true;
      int& gone = released[release.kernel];
      const int more = whole ? started[release.kernel] : static_cast<int>(release.blocks.size());
      gone = std::min(started[release.kernel], gone + more);
    }
    int blocks = 0;
    int warps = 0;
    for (std::size_t k = 0; k < started.size(); ++k) {
      blocks += started[k] - released[k];
      warps += (started[k] - released[k]) * probe.kernels[k].warps();
    }
    const bool waiting = std::ranges::any_of(launched, waits);
    releases = blocks == 0 ? 0 : releases + !action.releases.empty();
    for (const Started& each : answer.seen.steps[step].started) {
      started[each.kernel] += static_cast<int>(each.block.size());
    }
    if (!action.launch) continue;
    const int k = *action.launch;
    const auto ahead = ahead_in_stream(probe, k);
    const Launch launch{
        device_,
        probe.kernels[k],
        static_cast<int>(launched.size()),
        blocks,
        warps,
        waiting,
        waits(k),
        some_left,
        kernels_left,
        answer.before_in_session,
        releases,
        !launched.empty() && asks_the_same(probe.kernels[k], probe.kernels[launched.back()]),
        ahead ? &probe.kernels[*ahead] : nullptr};
    launched.push_back(k);
    std::vector<int>& classes = launches.emplace_back();
    int first = 0;
    for (const Feature& feature : kFeatures) {
      if (is_asked(feature, device_)) classes.push_back(first + feature.of(launch));
      first += static_cast<int>(feature.classes.size());
    }
  }
  return launches;
}

std::vector<std::size_t> Coverage::pairs_of(const Answer& answer) const {
  std::vector<std::size_t> pairs;
  for (const std::vector<int>& classes : launches(answer)) {
    for (const int a : classes) {
      for (const int b : classes) {
        if (a < b) pairs.push_back(a * launches_.size() + b);
      }
    }
  }
  std::ranges::sort(pairs);
  const auto again = std::ranges::unique(pairs);
  pairs.erase(again.begin(), again.end());
  return pairs;
}

void Coverage::add(const Answer& answer) {
  for (const std::vector<int>& classes : launches(answer)) {
    for (const int each : classes) ++launches_[each];
  }
  for (const std::size_t pair : pairs_of(answer)) seen_[pair] = true;
}

std::vector<CoveredFeature> Coverage::features() const {
  std::vector<CoveredFeature> covered;
  int next = 0;
  for (const Feature& feature : kFeatures) {
    CoveredFeature each{feature.name, {}};
    for (const std::string_view name : feature.classes) {
      each.classes.emplace_back(name, launches_[next++]);
    }
    if (is_asked(feature, device_)) covered.push_back(each);
  }
  return covered;
}

std::vector<std::pair<LaunchKind, LaunchKind>> Coverage::pairs(bool seen) const {
  std::vector<std::pair<LaunchKind, std::size_t>> kinds;
  std::size_t next = 0;
  for (const Feature& feature : kFeatures) {
    for (const std::string_view name : feature.classes) {
      if (is_asked(feature, device_)) kinds.push_back({{feature.name, name}, next});
      ++next;
    }
  }
  std::vector<std::pair<LaunchKind, LaunchKind>> pairs;
  for (const auto& [a, first] : kinds) {
    for (const auto& [b, second] : kinds) {
      const bool is_pair = first < second && a.feature != b.feature;
      if (is_pair && seen_[first * launches_.size() + second] == seen) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

}  // namespace cuvier
