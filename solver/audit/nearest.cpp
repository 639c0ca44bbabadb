#include "solver/audit/nearest.h"

#include <algorithm>
#include <limits>

#include "solver/space/hypothesis_sets.h"

namespace cuvier {
namespace {

/// How many sessions one gets wrong that explains whatever it can in their order: a bound.
int wrong_in_order(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  int wrong = 0;
  for (int s = 0; s < explanations.size(); ++s) {
    const Ref left = diagrams.both(set, explanations.of(s));
    if (left == diagrams.no()) {
      ++wrong;
    } else {
      set = left;
    }
  }
  return wrong;
}

/// Those of the set that explain the most sessions, as far as that is known.
Ref best_of(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  // How many each hypothesis gets wrong; beyond the bound nobody asks.
  const int too_many = wrong_in_order(explanations, set) + 1;
  Ref wrong = diagrams.apply(
      std::array{set}, [&](const std::array<int, 1>& in) { return in[0] == 1 ? 0 : too_many; });
  const auto add = [&](const std::array<int, 2>& v) {
    return std::min(too_many, v[0] + (v[1] == 1 ? 0 : 1));
  };
  for (int s = 0; s < explanations.size(); ++s) {
    wrong = diagrams.apply(std::array{wrong, explanations.of(s)}, add);
  }
  Ref best = diagrams.no();
  for (int least = 0; best == diagrams.no() && least < too_many; ++least) {
    best = diagrams.apply(std::array{wrong},
                          [&](const std::array<int, 1>& v) { return v[0] == least ? 1 : 0; });
  }
  return best;
}

/// Makes known which sessions those of the set explain; whether anything of it was not.
bool make_known(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  bool news = false;
  for (const int s : explanations.inexact()) {
    if (diagrams.without(set, explanations.known(s)) == diagrams.no()) continue;
    explanations.look_closer(s, set);
    news = true;
  }
  return news;
}

}  // namespace

NearestMiss nearest_miss(Explanations& explanations, Ref set, const Hypothesis& model) {
  Diagrams& diagrams = explanations.diagrams();
  // What is not known of a session counts as explained, so the best may turn out to be worse.
  Ref best = best_of(explanations, set);
  while (make_known(explanations, best)) best = best_of(explanations, set);
  NearestMiss miss{nearest(diagrams, best, model),
                   {},
                   diagrams.count(distinct(diagrams, FirstOrders(explanations.device()), best))};
  for (int s = 0; s < explanations.size(); ++s) {
    if (diagrams.value_at(explanations.of(s), miss.hypothesis) != 1) miss.left_out.push_back(s);
  }
  return miss;
}

}  // namespace cuvier
