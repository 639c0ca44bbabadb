#include "solver/infer/special_case_probes.h"

#include <tbb/parallel_for_each.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "probes/family.h"

namespace cuvier {
namespace {

/// Draws for a probe that shows a special case.
constexpr int kTries = 40;

/// So many of these are asked as one. More are looked for at once, on all cores.
constexpr int kJoined = 3;
constexpr std::size_t kAtOnce = 12;

/// Drawn to find some that show each deviation; kept of those that do, the latest.
constexpr int kDrawn = 200;
constexpr std::size_t kShowing = 24;

/// Some thousand variants are asked what a probe would show under each, which takes long of larger
/// ones: they count as showing none.
bool is_large(const Probe& probe, const Device& device, int parts) {
  const int most_of_a_part = 10 * device.sms + 128;
  return probe.blocks() > parts * most_of_a_part;
}

/// The classes of a quantity: from each bound to before the next.
void add_classes(std::vector<KernelClass>& classes, std::string_view name,
                 std::initializer_list<int> bounds) {
  const auto quantities = kernel_quantities();
  const Quantity& quantity = *std::ranges::find(quantities, name, &Quantity::name);
  for (const int* bound = bounds.begin(); bound + 1 < bounds.end(); ++bound) {
    if (bound[0] < bound[1]) classes.push_back({&quantity, bound[0], bound[1] - 1});
  }
}

/// What a rule may single out: sizes by powers of two and between them, what is not round, grids
/// by how often they fill the device.
std::vector<KernelClass> kernel_classes(const Device& device) {
  std::vector<KernelClass> classes;
  const int most_warps = device.max_threads_per_block / kThreadsPerWarp;
  add_classes(classes, "warps per block",
              {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25, 32, most_warps + 1});
  add_classes(classes, "threads per block mod 32", {1, kThreadsPerWarp});
  add_classes(classes, "registers per thread",
              {kFewestRegisters, 25, 33, 65, 96, 129, 193, 255, 256});
  add_classes(classes, "registers per thread mod 8", {0, 1, 8});
  add_classes(classes, "bytes of shared memory",
              {0, 1, kKiB + 1, 8 * kKiB + 1, 16 * kKiB, 20 * kKiB, 32 * kKiB, 48 * kKiB,
               device.max_shared_per_block + 1});
  add_classes(classes, "bytes of shared memory mod 128", {1, 128});
  add_classes(classes, "bytes of local memory", {0, 1, 513, 8 * kKiB});
  add_classes(classes, "levels above the default priority", {0, 1, 2, 6});
  if (const int largest = device.largest_cluster(); largest > 0) {
    const auto to = [&](int size) { return std::min(size, largest + 1); };
    add_classes(classes, "blocks in a cluster",
                {0, 1, to(2), to(3), to(4), to(5), to(8), to(9), to(largest + 1)});
  }
  const int sms = device.sms;
  add_classes(
      classes, "blocks of the kernel",
      {1, 2, 5, std::max(sms, 5), sms + 1, 2 * sms, 2 * sms + 6, 3 * sms + 6, 5 * sms, 8 * sms});
  return classes;
}

/// Joined ones would grow with each that is made of them.
void keep_latest(std::vector<Probe>& probes, const Probe& probe) {
  constexpr std::size_t long_script = 30;
  if (probe.script.size() > long_script) return;
  if (probes.size() == kShowing) probes.erase(probes.begin());
  probes.push_back(probe);
}

/// Whether, of those that matter, the same are among both.
bool agree(const std::vector<bool>& these, const std::vector<bool>& those,
           const std::vector<bool>& matter) {
  for (std::size_t i = 0; i < matter.size(); ++i) {
    if (matter[i] && these[i] != those[i]) return false;
  }
  return true;
}

}  // namespace

SpecialCaseProbes::SpecialCaseProbes(const Device& device, const std::vector<std::string>& channels,
                                     const Hypothesis& left, Rng& rng)
    : device_(device),
      channels_(channels),
      rng_(rng),
      simulator_(device, left),
      in_session_(device, left) {
  const std::vector<KernelClass> classes = kernel_classes(device);
  for (Deviation& deviation : deviations(device, left, rng)) {
    std::deque<Case> of;
    if (deviation.device) of = {{}};
    for (const KernelClass& kernels : classes) {
      if (deviation.concerns(kernels)) of.push_back({kernels});
    }
    if (deviation.knows_config()) {
      for (const int config : device.shared_configs) of.push_back({{}, config});
    }
    all_ += static_cast<int>(of.size());
    deviations_.push_back({std::move(deviation), std::move(of)});
  }
  for (OfDeviation& each : deviations_) each.mechanism.emplace(device, left, each.deviation);
}

int SpecialCaseProbes::shown() const {
  int shown = all_;
  for (const OfDeviation& each : deviations_) shown -= each.not_shown();
  return shown;
}

bool SpecialCaseProbes::OfDeviation::may_show_more(const Probe& probe) const {
  const auto is_asked = [&](const Case& which) { return which.kernels.has_any(probe); };
  return !ahead.empty() &&
         (std::ranges::any_of(looked_for, is_asked) || std::ranges::any_of(ahead, is_asked));
}

std::optional<SpecialCaseProbes::Case> SpecialCaseProbes::OfDeviation::next_case() {
  if (ahead.empty()) return std::nullopt;
  looked_for.push_back(ahead.front());
  ahead.pop_front();
  return looked_for.back();
}

void SpecialCaseProbes::observe(const std::vector<Recording>& asked, const Task& task) {
  const std::vector<Recording> since(asked.begin() + static_cast<std::ptrdiff_t>(observed_),
                                     asked.end());
  observed_ = asked.size();
  if (since.size() > 1) task.tell("looking for special cases that no probe would have shown");
  for (const Recording& recording : since) {
    const Observation in_session = seen_through(channels_, in_session_.replay(recording));
    const Observation alone = preview(simulator_, recording.probe);
    // What ran before may have hidden what a new session would have shown.
    if (in_session != alone || is_large(recording.probe, device_, kJoined)) continue;
    tbb::parallel_for_each(deviations_,
                           [&](OfDeviation& each) { observe(each, recording.probe, alone); });
  }
}

void SpecialCaseProbes::observe(OfDeviation& each, const Probe& probe, const Observation& seen) {
  if (!each.may_show_more(probe)) return;
  // If of the kernels that matter the same deviate, the probe shows the same.
  struct Run {
    std::vector<bool> matter;
    std::vector<bool> deviating;
    bool shown;
  };
  std::vector<Run> runs{
      {each.deviation.matter(simulator_, probe), std::vector<bool>(probe.kernels.size()), false}};
  const auto is_shown = [&](const Case& which) {
    if (which.config) return shows(each, which, probe, seen);
    const std::vector<bool> deviating = which.kernels.members(probe);
    for (const Run& run : runs) {
      if (agree(deviating, run.deviating, run.matter)) return run.shown;
    }
    const bool shown = shows(each, which, probe, seen);
    runs.push_back({each.mechanism->matter(probe), deviating, shown});
    return shown;
  };
  if (!is_shown({})) return;
  keep_latest(each.showing, probe);
  std::erase_if(each.looked_for, is_shown);
  std::erase_if(each.ahead, is_shown);
}

std::optional<Probe> SpecialCaseProbes::next(const Task& task) {
  if (!std::exchange(has_drawn_, true)) draw(task);
  std::optional<Probe> joined;
  int parts = 0;
  while (parts < kJoined && !task.is_to_end()) {
    if (found_.empty()) look_for_more();
    if (found_.empty()) break;
    const Found found = std::move(found_.front());
    found_.pop_front();
    const std::vector<Case>& not_shown = found.of->looked_for;
    if (!found.probe || std::ranges::find(not_shown, found.which) == not_shown.end()) continue;
    joined = joined ? join(*joined, *found.probe) : *found.probe;
    ++parts;
  }
  return joined;
}

/// For one case of each of the next deviations. Each search draws on its own, so that what is
/// found does not depend on how many go on at once.
void SpecialCaseProbes::look_for_more() {
  std::vector<std::pair<Found*, Rng>> searches;
  for (std::size_t i = 0; i < deviations_.size() && searches.size() < kAtOnce; ++i) {
    OfDeviation& each = deviations_[turn_++ % deviations_.size()];
    const auto which = each.next_case();
    if (!which) continue;
    found_.push_back({&each, *which, {}});
    searches.emplace_back(&found_.back(), Rng(rng_()));
  }
  tbb::parallel_for_each(searches, [&](const auto& search) {
    const auto& [found, rng] = search;
    found->probe = showing(*found->of, found->which, rng);
  });
}

/// Some probes that show each deviation, beside those that were asked.
void SpecialCaseProbes::draw(const Task& task) {
  task.tell("drawing probes for special cases");
  const std::vector<ProbeFamily> families = all_probe_families(device_);
  for (int i = 0; i < kDrawn; ++i) {
    const Probe drawn = families[i % families.size()].draw(device_, rng_);
    if (is_large(drawn, device_, 1)) continue;
    const Observation seen = preview(simulator_, drawn);
    tbb::parallel_for_each(deviations_, [&](OfDeviation& each) {
      if (each.showing.size() < kShowing && matters(each, {}, drawn, simulator_) &&
          shows(each, {}, drawn, seen)) {
        each.showing.push_back(drawn);
      }
    });
  }
}

/// A probe that shows the deviation, varied, with kernels of the class in it.
std::optional<Probe> SpecialCaseProbes::showing(OfDeviation& each, const Case& which,
                                                Rng rng) const {
  if (each.showing.empty()) return std::nullopt;
  const KernelClass& kernels = which.kernels;
  Simulator simulator = simulator_;
  for (int i = 0; i < kTries; ++i) {
    Probe probe = pick_from(rng, each.showing);
    if (i % 4 == 3) probe = mutate(probe, device_, rng);
    for (int k = 0; k < static_cast<int>(probe.kernels.size()); ++k) {
      if (!kernels.quantity || uniform(rng, 0, 2) == 0) continue;
      Kernel kernel = probe.kernels[k];
      kernels.quantity->set(kernel, uniform(rng, kernels.least, kernels.most));
      if (auto changed = with_kernel(probe, k, std::move(kernel), device_)) {
        probe = *std::move(changed);
      }
    }
    if (!kernels.has_any(probe) || is_large(probe, device_, 1)) continue;
    const Observation seen = preview(simulator, probe);
    if (matters(each, kernels, probe, simulator) && shows(each, which, probe, seen)) {
      return probe;
    }
  }
  return std::nullopt;
}

bool SpecialCaseProbes::matters(const OfDeviation& each, const KernelClass& kernels,
                                const Probe& probe, const Simulator& simulator) {
  return !agree(kernels.members(probe), std::vector<bool>(probe.kernels.size()),
                each.deviation.matter(simulator, probe));
}

bool SpecialCaseProbes::shows(OfDeviation& each, const Case& which, const Probe& probe,
                              const Observation& seen) const {
  each.mechanism->single_out(which.kernels, which.config);
  if (!each.deviation.taken_for) return each.mechanism->shows_otherwise(probe, seen, channels_);
  // A block of more warps has more slots: that is nothing that would have been seen.
  return each.mechanism->shows_otherwise(probe, seen_through({}, seen), {});
}

}  // namespace cuvier
