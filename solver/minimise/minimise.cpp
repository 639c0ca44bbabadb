#include "solver/minimise/minimise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "hypotheses/prediction.h"
#include "hypotheses/scope.h"
#include "probes/error.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/least_resources.h"
#include "solver/minimise/minimiser.h"
#include "solver/minimise/one_release.h"
#include "solver/minimise/single_launch.h"
#include "solver/minimise/size_bounds.h"

namespace cuvier {
namespace {

/// No argument of minimality was written for `outside`, which one of the hypotheses has, or in
/// which they differ.
Minimised minimised_without_arguments(const Probe& probe, const Device& device, const Judge& judge,
                                      const MinimiseOptions& options, const std::string& outside) {
  Minimised result = minimise(probe, device, judge, options);
  auto& [kernels, actions, blocks, resources] = result.least;
  for (Measure* measure : {&kernels, &actions, &blocks, &resources}) {
    if (!measure->least) {
      measure->why = fmt::format("search found none smaller; no proof was written for {}", outside);
    }
  }
  return result;
}

bool differ_in_clusters(const Hypothesis& a, const Hypothesis& b) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).part == Part::clusters && a.values[axis] != b.values[axis]) return true;
  }
  return false;
}

/// The arguments are about probes without clusters; on a device that launches them there are more.
void say_without_clusters(Minimised& minimised) {
  const ProbeSize size = size_of(minimised.probe);
  auto& [kernels, actions, blocks, resources] = minimised.least;
  for (const auto& [measure, value] :
       {std::pair{&kernels, size.kernels}, std::pair{&actions, size.actions},
        std::pair{&blocks, size.blocks}, std::pair{&resources, 2}}) {
    if (measure->least && value > 1) measure->why += ", of probes without clusters";
  }
}

void prove(Measure& measure, const std::optional<std::string>& why) {
  if (why) measure = {true, *why};
}

}  // namespace

Minimised minimise(const Probe& probe, const Device& device, const Judge& judge,
                   const MinimiseOptions& options) {
  Minimiser minimiser(device, judge, options, [](const ProbeSize&) { return Minimality{}; });
  return minimiser.run(probe);
}

std::optional<Distinction> distinction_by(const Probe& probe, const Device& device,
                                          const Hypothesis& a, const Hypothesis& b) {
  Simulator one(device, a);
  Simulator other(device, b);
  const std::optional<Parting> parting = first_parting(one, other, probe, {});
  if (!parting) return std::nullopt;
  return Distinction{probe, seen_through({}, one.preview(probe)),
                     seen_through({}, other.preview(probe)), *parting, "minimising"};
}

namespace {

Minimised smallest_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options);

/// What is certain of hypotheses that leave something open is what they do before the first large
/// grid, and there they are as if no block was ever placed in pairs. So what is least between those
/// that never do is least between these, if it holds no large grid.
Minimised smallest_of_one_outcome(const Probe& probe, const Device& device, const Hypothesis& a,
                                  const Hypothesis& b, const Judge& judge,
                                  const MinimiseOptions& options) {
  const auto in_singles = [](Hypothesis hypothesis) {
    hypothesis.set<DispatchBatch>(DispatchBatch::single);
    return hypothesis;
  };
  Probe certain = probe;
  certain.script.resize(
      std::min(steps_of_one_outcome(device, a, probe), steps_of_one_outcome(device, b, probe)));
  const auto is_certain = [&](const Probe& candidate) {
    return std::ranges::none_of(candidate.kernels, [&](const Kernel& kernel) {
      return kernel.blocks > PairsInFlight::fewest(device);
    });
  };
  MinimiseOptions watched = options;
  watched.found = [&](const Probe& found) {
    if (is_certain(found)) options.found(found);
  };
  Minimised minimised =
      smallest_between(tidied(certain, device), device, in_singles(a), in_singles(b), watched);
  if (is_certain(minimised.probe)) return minimised;
  return minimised_without_arguments(certain, device, judge, options, "what drifts");
}

Minimised smallest_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options) {
  Simulator one(device, a);
  Simulator other(device, b);
  const Judge judge = [&](const Probe& candidate) {
    return first_parting(one, other, candidate, {}).has_value();
  };
  if (!judge(probe)) {
    throw Error(fmt::format("{}: {} and {} predict the same for it; name two that differ on it",
                            probe.name, describe(a), describe(b)));
  }
  for (const Hypothesis* h : {&a, &b}) {
    if (const auto outside = outside_of_claims(*h)) {
      return minimised_without_arguments(probe, device, judge, options, *outside);
    }
  }
  if (leaves_open(a) || leaves_open(b)) {
    return smallest_of_one_outcome(probe, device, a, b, judge, options);
  }
  if (differ_in_clusters(a, b)) {
    return minimised_without_arguments(probe, device, judge, options, "clusters");
  }
  const Measure one_at_least{true, "a probe has a kernel"};
  const auto trying_every = [&](const char* what) -> const Task& {
    options.task.doing(fmt::format("trying every probe of {}", what));
    return options.task;
  };
  const std::optional<std::string> alone = why_one_kernel_shows_nothing(a, b);
  const SingleLaunch single =
      alone ? SingleLaunch{{}, true, *alone}
            : smallest_single_launch(device, a, b, trying_every("a single launch"));
  OneRelease release;
  std::map<std::tuple<int, int, int>, Minimality> known;
  const auto known_of = [&](const ProbeSize& size) -> const Minimality& {
    const auto [at, is_new] =
        known.try_emplace(std::tuple(size.kernels, size.actions, size.blocks));
    auto& [kernels, actions, blocks, resources] = at->second;
    if (!is_new) return at->second;
    if (size.kernels == 1) {
      kernels = one_at_least;
      if (single.complete && size.actions == 2) prove(actions, single.reason);
    } else if (size.kernels == 2) {
      prove(kernels, alone);
      if (release.none) prove(kernels, release.reason);
      if (kernels.least && size.actions == 2) prove(actions, "every kernel is launched");
      if (kernels.least && size.actions == 3) prove(actions, why_two_launches_show_nothing(a, b));
      if (actions.least) prove(blocks, why_fewer_blocks_show_nothing(device, a, b, size));
    }
    return at->second;
  };
  Minimiser minimiser(device, judge, options, known_of);
  if (single.kernel && single.kernel->blocks <= options.most_blocks) {
    const Measure searched{single.complete, single.reason};
    return minimiser.run_from({"", {*single.kernel}, {{0, {}}}}, probe.name,
                              {one_at_least, one_at_least, searched, searched});
  }
  if (!alone && single.complete) {
    release = smallest_one_release(device, a, b, options.most_blocks,
                                   trying_every("one kernel and one release"));
    if (release.probe) {
      return minimiser.run_from(*release.probe, probe.name,
                                {one_at_least,
                                 {true, single.reason},
                                 {release.blocks, release.reason},
                                 {release.resources, release.reason}});
    }
  }
  Minimised result = minimiser.run(probe);
  const Minimality& bounds = known_of(size_of(result.probe));
  for (const auto measure : {&Minimality::kernels, &Minimality::actions, &Minimality::blocks}) {
    if ((bounds.*measure).least) result.least.*measure = bounds.*measure;
  }
  const ProbeSize size = size_of(result.probe);
  if (size.kernels == 2 && size.actions == 2) {
    const Task& task = trying_every("two launches with less resources");
    const Judge watched = [&](const Probe& candidate) {
      task.still();
      return judge(candidate);
    };
    LeastResources least = least_resources(result.probe, device, watched);
    for (; least.probe; least = least_resources(result.probe, device, watched)) {
      result.probe = std::move(*least.probe);
    }
    result.least.resources =
        least.complete
            ? Measure{true, "every smaller probe of two launches and simple demands was tried"}
            : Measure{false, "probes of two launches with less resources are too many to try"};
  }
  return result;
}

}  // namespace

Minimised minimise_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options) {
  Probe smallest = probe;
  MinimiseOptions watched = options;
  watched.found = [&](const Probe& found) {
    if (size_of(found) < size_of(smallest)) smallest = found;
  };
  try {
    Minimised minimised = smallest_between(probe, device, a, b, watched);
    if (device.largest_cluster() > 0) say_without_clusters(minimised);
    return minimised;
  } catch (const Stopped& cut_short) {
    smallest.name = probe.name;
    return {smallest, {}, 0, cut_short.why};
  }
}

}  // namespace cuvier
