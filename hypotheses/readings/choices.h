#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/fact.h"
#include "probes/rng.h"

namespace cuvier {

/// Whether it may have several outcomes of a probe (AxisValue::several_outcomes).
bool leaves_open(const Hypothesis& hypothesis);

/// How many of a probe's first steps the hypothesis leaves nothing open of: none whose kernels may
/// be placed by chance (PairsInFlight::drifting) was launched yet.
int steps_of_one_outcome(const Device& device, const Hypothesis& hypothesis, const Probe& probe);

/// A pick of a kernel in one step of a probe, where more than one thing may happen next.
struct Choice {
  int step = 0;
  int kernel = 0;
  int sm = 0;         ///< that the pick went to
  int number = 0;     ///< of its first block, among those of the kernel that start in the step
  int in_flight = 0;  ///< of the kernel's picks
};

/// Decides what nobody controls (PairsInFlight::drifting), one outcome of those that a hypothesis
/// has.
class Choices {
 public:
  virtual ~Choices() = default;

  /// Whether another pick joins those in flight before this one gives out its first block.
  virtual bool another_joins(const Choice&) = 0;
  /// Whether the count that decides on a pair is so old that this pick still is one.
  virtual bool counts_late(const Choice&) = 0;
};

/// By chance; what joins does so about once in fifty blocks, as recorded GPUs have it.
class DrawnChoices : public Choices {
 public:
  explicit DrawnChoices(std::uint64_t seed) : rng_(seed) {}
  bool another_joins(const Choice&) override { return uniform(rng_, 1, 25) == 1; }
  bool counts_late(const Choice&) override { return uniform(rng_, 0, 1) == 1; }

 private:
  Rng rng_;
};

/// As it was seen, as far as the facts tell where blocks went. They must outlive it.
class SeenChoices : public Choices {
 public:
  explicit SeenChoices(const std::vector<Fact>& facts) : facts_(facts) {}

  /// Where blocks went says when another joined,
  bool another_joins(const Choice& choice) override;

  /// but how many picks of a kernel counted late has to be tried.
  bool counts_late(const Choice& choice) override;
  void let_count_late(int kernel, int picks) { late_[kernel] = picks; }

  /// Begins the probe once more.
  void again() { asked_.clear(); }

  /// By kernel how often that was asked since.
  const std::map<int, int>& asked() const { return asked_; }

 private:
  const std::vector<Fact>& facts_;
  std::map<int, int> late_;
  std::map<int, int> asked_;
};

}  // namespace cuvier
