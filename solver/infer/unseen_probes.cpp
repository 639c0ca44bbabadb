#include "solver/infer/unseen_probes.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "hypotheses/neighbours.h"

namespace cuvier {
namespace {

/// So many are taken of a stock: who is refuted early never pays for the next.
constexpr int kTaken = 50;

/// A stock is drawn of families, past edges, and by varying what was asked; and for a change of an
/// axis that few of these show, more like them: so many tries, until so many show it.
constexpr int kOfFamilies = 100;
constexpr int kEdges = 30;
constexpr int kVaried = 25;
constexpr int kTriesForChange = 150;
constexpr int kShowChange = 60;

/// The kernel of which the two first show something else.
std::optional<int> first_difference(const Observation& a, const Observation& b) {
  for (std::size_t step = 0; step < a.steps.size(); ++step) {
    if (a.steps[step] == b.steps[step]) continue;
    const auto& of_a = a.steps[step].started;
    const auto& of_b = b.steps[step].started;
    const auto [in_a, in_b] = std::ranges::mismatch(of_a, of_b);
    if (in_a == of_a.end() && in_b == of_b.end()) return a.steps[step].shared_config.begin()->first;
    const int none = std::numeric_limits<int>::max();
    return std::min(in_a == of_a.end() ? none : in_a->kernel,
                    in_b == of_b.end() ? none : in_b->kernel);
  }
  return std::nullopt;
}

std::vector<Simulator> changes_of(const Device& device, const Hypothesis& left, Rng& rng) {
  std::vector<Simulator> changed;
  for (const Hypothesis& other : single_axis_changes(device, left, rng)) {
    changed.emplace_back(device, other);
  }
  return changed;
}

}  // namespace

UnseenProbes::UnseenProbes(const Device& device, const std::vector<std::string>& channels,
                           const Hypothesis& left, Rng& rng)
    : device_(device),
      channels_(channels),
      rng_(rng),
      simulator_(device, left),
      changed_(changes_of(device, left, rng)),
      coverage_(device, static_cast<int>(changed_.size())) {}

void UnseenProbes::observe(const std::vector<Recording>& asked) {
  for (; observed_ < asked.size(); ++observed_) {
    const Recording& recording = asked[observed_];
    if (recording.fresh) in_session_ = 0;
    const Observation seen = seen_through(channels_, simulator_.replay(recording));
    std::vector<Coverage::Shown> shown;
    for (int change = 0; change < std::ssize(changed_); ++change) {
      if (const auto kernel = parting_kernel(recording.probe, seen, change)) {
        shown.push_back({change, *kernel});
      }
    }
    coverage_.add({recording.probe, seen, in_session_++, std::move(shown)});
  }
}

std::optional<Probe> UnseenProbes::next(const std::vector<Recording>& asked, const Task& task) {
  if (!stock_ || taken_ == kTaken) {
    stock_ = draw(asked, task);
    taken_ = 0;
  }
  ++taken_;
  return stock_->take(coverage_);
}

ProbeStock UnseenProbes::draw(const std::vector<Recording>& asked, const Task& task) {
  task.tell("drawing probes to confirm by");
  std::vector<Previewed> drawn;
  const std::vector<ProbeFamily> families = probe_families(device_);
  for (int i = 0; i < kOfFamilies; ++i) drawn.push_back(drawn_of(pick_from(rng_, families)));
  for (int i = 0; i < kEdges; ++i) drawn.push_back(drawn_of(edges()));
  for (int i = 0; i < kVaried && !asked.empty(); ++i) {
    drawn.push_back({mutate(pick_from(rng_, asked).probe, device_, rng_)});
  }
  preview(drawn);
  for (int change = 0; change < std::ssize(changed_); ++change) add_more(drawn, change);
  std::vector<ProbeStock::Drawn> stock;
  for (Previewed& each : drawn) {
    auto pairs = coverage_.pairs_of({each.probe, each.seen, in_session_, each.shown});
    stock.push_back({std::move(each.probe), std::move(pairs)});
  }
  return ProbeStock(std::move(stock));
}

UnseenProbes::Previewed UnseenProbes::drawn_of(const ProbeFamily& family) {
  return {family.draw(device_, rng_), family};
}

/// What each would show, and which of the changes.
void UnseenProbes::preview(std::vector<Previewed>& probes) {
  for (Previewed& each : probes) each.seen = seen_by(simulator_, each.probe);
  std::vector<std::vector<std::optional<int>>> shown(changed_.size());
  tbb::parallel_for(0, static_cast<int>(changed_.size()), [&](int change) {
    for (const Previewed& each : probes) {
      shown[change].push_back(parting_kernel(each.probe, each.seen, change));
    }
  });
  for (int change = 0; change < std::ssize(shown); ++change) {
    for (std::size_t i = 0; i < probes.size(); ++i) {
      if (const auto kernel = shown[change][i]) probes[i].shown.push_back({change, *kernel});
    }
  }
}

/// Of the same families as those that show the change, and neighbours of theirs, what shows it,
/// too.
void UnseenProbes::add_more(std::vector<Previewed>& probes, int change) {
  std::vector<Previewed> showing;
  std::ranges::copy_if(probes, std::back_inserter(showing), [&](const Previewed& each) {
    return std::ranges::find(each.shown, change, &Coverage::Shown::change) != each.shown.end();
  });
  if (showing.empty()) return;
  for (int i = 0; i < kTriesForChange && std::ssize(showing) < kShowChange; ++i) {
    const Previewed& like = pick_from(rng_, showing);
    Previewed more = i % 2 == 0 && like.family.draw
                         ? drawn_of(like.family)
                         : Previewed{mutate(like.probe, device_, rng_), like.family};
    more.seen = seen_by(simulator_, more.probe);
    const auto kernel = parting_kernel(more.probe, more.seen, change);
    if (!kernel) continue;
    more.shown = {{change, *kernel}};
    probes.push_back(more);
    showing.push_back(std::move(more));
  }
}

Observation UnseenProbes::seen_by(Simulator& simulator, const Probe& probe) const {
  return seen_through(channels_, simulator.preview(probe));
}

/// The kernel whose blocks would first go elsewhere.
std::optional<int> UnseenProbes::parting_kernel(const Probe& probe, const Observation& seen,
                                                int change) {
  return first_difference(seen, seen_by(changed_[change], probe));
}

}  // namespace cuvier
