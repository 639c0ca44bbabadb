#include "solver/diagnosis/special_cases.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "solver/finding/alike_answers.h"

namespace cuvier {
namespace {

/// Recordings that a candidate must explain before it is judged by all.
constexpr std::size_t kFilters = 3;

/// At most one in so many of what the nearest gets wrong is still wrong.
constexpr int kPart = 4;

/// The best is held against so many probes that it and the nearest answer otherwise.
constexpr int kTests = 8;

/// Of the leading candidates, so many are compared where they may part.
constexpr std::size_t kCompared = 100;

/// Of each quantity, and each value of it that these kernels have: no less, no more, just so.
std::vector<KernelClass> classes_in(const std::vector<Recording>& recordings) {
  std::vector<KernelClass> classes{{}};
  for (const Quantity& quantity : kernel_quantities()) {
    std::set<int> values;
    for (const Recording& recording : recordings) {
      for (const Kernel& kernel : recording.probe.kernels) values.insert(quantity.of(kernel));
    }
    for (const int value : values) {
      classes.push_back({.quantity = &quantity, .least = value});
      classes.push_back({.quantity = &quantity, .most = value});
      classes.push_back({&quantity, value, value});
    }
  }
  return classes;
}

}  // namespace

SpecialCases::SpecialCases(const Device& device, const Hypothesis& nearest,
                           const std::vector<Recording>& recordings, Rng& rng, const Task& task)
    : device_(device),
      nearest_(nearest),
      deviations_(deviations(device, nearest, rng)),
      simulator_(device, nearest),
      recordings_(static_cast<int>(recordings.size())) {
  task.doing("looking for kernels that go by another rule");
  for (const Recording& recording : recordings) {
    const Observation predicted = simulator_.replay(recording);
    add_kernels(recording);
    if (explains(predicted, recording)) continue;
    ++wrong_;
    // Only these can be judged without what ran before.
    if (predicted == predict(device, nearest, recording.probe)) unexplained_.push_back(recording);
  }
  std::ranges::stable_sort(unexplained_, {},
                           [](const Recording& recording) { return recording.probe.blocks(); });
  if (unexplained_.size() > kFilters) unexplained_.resize(kFilters);
  fewest_ = wrong_ / kPart;
  std::vector<std::vector<Candidate>> found(deviations_.size());
  tbb::parallel_for(std::size_t{0}, deviations_.size(), [&](std::size_t i) {
    task.doing("looking for kernels that go by another rule");
    found[i] = candidates(deviations_[i], recordings, task);
  });
  for (std::vector<Candidate>& each : found)
    std::ranges::move(each, std::back_inserter(candidates_));
  // Whether others were kept is a matter of which thread was first.
  std::erase_if(candidates_, [&](const Candidate& each) { return each.wrong > fewest_; });
}

/// Those that explain the first of what is unexplained. Classes of which a probe has the same
/// kernels need be asked once there.
std::vector<SpecialCases::Candidate> SpecialCases::candidates(
    const Deviation& deviation, const std::vector<Recording>& recordings, const Task& task) {
  std::vector<Candidate> found;
  std::vector<std::map<std::vector<bool>, bool>> known(unexplained_.size());
  auto classes = classes_in(unexplained_);
  std::erase_if(classes, [&](const KernelClass& kernels) { return !deviation.concerns(kernels); });
  SpecialCase mechanism(device_, nearest_, deviation);
  for (const KernelClass& kernels : classes) {
    task.still();
    mechanism.single_out(kernels);
    bool explains_all = true;
    for (std::size_t i = 0; i < unexplained_.size() && explains_all; ++i) {
      const Recording& recording = unexplained_[i];
      auto [at, is_new] = known[i].try_emplace(kernels.members(recording.probe));
      if (is_new) {
        at->second = explains(mechanism.preview(recording.probe), recording);
      }
      explains_all = at->second;
    }
    if (!explains_all) continue;
    Candidate candidate{&deviation, kernels};
    for (const Recording& recording : recordings) {
      candidate.wrong += explains(mechanism.replay(recording), recording) ? 0 : 1;
      if (candidate.wrong > fewest_) break;
    }
    mechanism.begin_session();
    if (candidate.wrong > fewest_) continue;
    for (int fewest = fewest_; candidate.wrong < fewest;) {
      if (fewest_.compare_exchange_weak(fewest, candidate.wrong)) break;
    }
    found.push_back(candidate);
  }
  return found;
}

std::vector<SpecialCases::Candidate> SpecialCases::leading() const {
  std::vector<Candidate> leading;
  for (const Candidate& candidate : candidates_) {
    if (candidate.wrong == candidates_.front().wrong) leading.push_back(candidate);
  }
  return leading;
}

std::optional<Probe> SpecialCases::splitting(const std::vector<Probe>& probes) {
  const auto all = leading();
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < all.size(); i += all.size() / kCompared + 1) {
    candidates.push_back(all[i]);
  }
  if (candidates.empty()) return std::nullopt;
  std::vector<AlikeAnswers> answers(probes.size());
  tbb::parallel_for(std::size_t{0}, probes.size(), [&](std::size_t i) {
    answers[i].add(seen_through({}, predict(device_, nearest_, probes[i])));
    for (const Candidate& candidate : candidates) {
      SpecialCase mechanism(device_, nearest_, *candidate.deviation, candidate.kernels);
      answers[i].add(seen_through({}, mechanism.preview(probes[i])));
    }
  });
  // Of equals, one with other kernels: else all that goes wrong is of one kernel and its like.
  const auto was_asked = [&](Kernel kernel) {
    kernel.name.clear();
    return std::ranges::find(asked_, kernel) != asked_.end();
  };
  std::optional<Probe> best;
  std::pair<std::size_t, long> least{candidates.size(), std::numeric_limits<long>::max()};
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const std::pair each{answers[i].most(), std::ranges::count_if(probes[i].kernels, was_asked)};
    if (each >= least) continue;
    least = each;
    best = probes[i];
  }
  const bool only_tests = least.first == candidates.size();
  return only_tests && ++tests_ > kTests ? std::nullopt : best;
}

void SpecialCases::add_kernels(const Recording& recording) {
  for (Kernel kernel : recording.probe.kernels) {
    kernel.name.clear();
    asked_.push_back(std::move(kernel));
  }
}

void SpecialCases::observe(const Recording& recording) {
  ++recordings_;
  add_kernels(recording);
  wrong_ += explains(simulator_.replay(recording), recording) ? 0 : 1;
  const int before = candidates_.front().wrong;
  tbb::parallel_for(std::size_t{0}, candidates_.size(), [&](std::size_t i) {
    Candidate& candidate = candidates_[i];
    SpecialCase mechanism(device_, nearest_, *candidate.deviation, candidate.kernels);
    candidate.wrong += explains(mechanism.replay(recording), recording) ? 0 : 1;
  });
  std::ranges::stable_sort(candidates_, {}, &Candidate::wrong);
  if (candidates_.front().wrong > before) tests_ = 0;  // it is another one, or no better
}

std::optional<NearMiss::ButFor> SpecialCases::best() const {
  constexpr int several = 3;
  if (candidates_.empty() || wrong_ < several || kPart * candidates_.front().wrong > wrong_) {
    return std::nullopt;
  }
  const Candidate& best = candidates_.front();
  const Quantity* quantity = best.kernels.quantity;
  return NearMiss::ButFor{words(best.kernels),
                          quantity ? quantity->name : "",
                          best.deviation->device.has_value(),
                          best.deviation->words,
                          best.wrong,
                          wrong_,
                          recordings_};
}

}  // namespace cuvier
