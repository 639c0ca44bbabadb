#pragma once

#include <random>

#include "verify/left.h"

namespace cuvier::verify {

/// Sessions in which what is left is compared.
constexpr int compared_sessions = 100;

/// What explains recordings, but for as few of them as it takes; more than none may be left out
/// only where each is a session of its own. There may be several ways to leave out as few.
class Explanations {
 public:
  /// A session that takes more ways than these waits for others. Throws TooManyWays.
  Explanations(const Left& all, const std::vector<const Recording*>& recordings, int most_left_out,
               long ways_at_first = most_ways);

  /// Each way to leave out as few; no hypothesis is left in two.
  const std::vector<std::set<const Recording*>>& ways() const { return ways_; }
  bool nothing() const { return ways_.empty(); }
  int left_out() const { return left_out_; }
  /// Ways through the recordings that were followed.
  long followed() const { return followed_; }
  double hypotheses() const;
  /// The values of an axis that some hypothesis has.
  std::vector<const Value*> surviving(const Space& space, int axis) const;
  /// Any hypothesis; there must be one.
  Mechanism member(std::mt19937_64& random) const;

  /// Has any of what is left run recorded probes in another order, some of whose kernels need what
  /// others need, in sessions that open as the recordings' do; what it shows, all that is left is
  /// to explain. `one`: what is left of that hypothesis. The first session that they do not take
  /// alike, in words; empty: none, or no recordings.
  std::string where_they_part(const std::function<Left(const Mechanism&)>& one,
                              std::mt19937_64& random) const;

 private:
  void follow_all(Left left, long most);
  std::vector<Box> boxes() const;
  void follow(Left left, std::size_t from, const std::set<const Recording*>& left_out);

  std::vector<const Recording*> recordings_;
  int left_out_ = 0;
  long followed_ = 0;
  std::vector<std::set<const Recording*>> ways_;
  std::vector<Left> left_;  ///< by ways
};

}  // namespace cuvier::verify
