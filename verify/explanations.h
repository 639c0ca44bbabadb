#pragma once

#include <random>
#include <set>
#include <vector>

#include "verify/left.h"

namespace cuvier::verify {

/// What explains recordings, but for as few of them as it takes; more than none may be left out
/// only where each is a session of its own. There may be several ways to leave out as few.
class Explanations {
 public:
  /// No hypothesis is left in two.
  struct Way {
    std::set<const Recording*> left_out;
    Left left;
  };

  /// Throws TooManyWays.
  Explanations(const Left& all, const std::vector<const Recording*>& recordings, int most_left_out);

  const std::vector<Way>& ways() const { return ways_; }
  bool nothing() const { return ways_.empty(); }
  int left_out() const { return left_out_; }
  double hypotheses() const;
  /// The values of an axis that some hypothesis has.
  std::vector<const Value*> surviving(const Space& space, int axis) const;
  /// Any hypothesis; there must be one.
  Mechanism member(std::mt19937_64& random) const;

 private:
  void follow(Left left, std::size_t from, const std::set<const Recording*>& left_out);

  std::vector<const Recording*> recordings_;
  int left_out_ = 0;
  std::vector<Way> ways_;
  std::vector<Box> boxes_;
};

}  // namespace cuvier::verify
