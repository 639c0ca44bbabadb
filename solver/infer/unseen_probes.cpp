#include "solver/infer/unseen_probes.h"

#include <algorithm>
#include <utility>

namespace cuvier {
namespace {

/// So many are taken of a stock: what is refuted early never pays for the next.
constexpr int kTaken = 50;

/// A stock is drawn of families, and by varying what was asked.
constexpr int kOfFamilies = 150;
constexpr int kOfEachThatConfirms = 20;
constexpr int kVaried = 50;

}  // namespace

UnseenProbes::UnseenProbes(const Device& device, const Hypothesis& left, Rng& rng)
    : device_(device), rng_(rng), simulator_(device, left), coverage_(device), taken_(kTaken) {}

void UnseenProbes::observe(const std::vector<Recording>& asked) {
  for (; observed_ < asked.size(); ++observed_) {
    const Recording& recording = asked[observed_];
    if (recording.fresh) in_session_ = 0;
    coverage_.add({recording.probe, simulator_.replay(recording), in_session_++});
  }
}

std::optional<Probe> UnseenProbes::next(const std::vector<Recording>& asked, const Task& task) {
  if (taken_ == kTaken) draw(asked, task);
  ++taken_;
  double most = 0;
  auto best = stock_.end();
  for (auto each = stock_.begin(); each != stock_.end(); ++each) {
    std::erase_if(each->pairs, [&](std::size_t pair) { return coverage_.was_seen(pair); });
    double rarity = 0;
    for (const std::size_t pair : each->pairs) rarity += 1.0 / shown_by_[pair];
    if (rarity <= most) continue;
    most = rarity;
    best = each;
  }
  if (best == stock_.end()) return std::nullopt;
  Probe probe = std::move(best->probe);
  stock_.erase(best);
  return probe;
}

void UnseenProbes::draw(const std::vector<Recording>& asked, const Task& task) {
  task.tell("drawing probes to confirm by");
  const std::vector<ProbeFamily> families = probe_families(device_);
  std::vector<Probe> drawn;
  for (int i = 0; i < kOfFamilies; ++i) {
    Probe probe = pick_from(rng_, families).draw(device_, rng_);
    drawn.push_back(i % 2 == 0 ? probe : with_odd_blocks(std::move(probe), device_, rng_));
  }
  for (const ProbeFamily& family : confirming_families(device_)) {
    for (int i = 0; i < kOfEachThatConfirms; ++i) drawn.push_back(family.draw(device_, rng_));
  }
  for (int i = 0; i < kVaried && !asked.empty(); ++i) {
    drawn.push_back(mutate(pick_from(rng_, asked).probe, device_, rng_));
  }
  stock_.clear();
  shown_by_.clear();
  taken_ = 0;
  for (Probe& probe : drawn) {
    auto pairs = coverage_.pairs_of({probe, simulator_.preview(probe), in_session_});
    for (const std::size_t pair : pairs) {
      shown_by_.resize(std::max(shown_by_.size(), pair + 1));
      ++shown_by_[pair];
    }
    stock_.push_back({std::move(probe), std::move(pairs)});
  }
}

}  // namespace cuvier
