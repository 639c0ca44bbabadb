#pragma once

#include <string>
#include <vector>

#include "solver/infer/inference.h"

namespace cuvier {

/// The decisions of an inference, in Graphviz's language: each probe with what it left of the
/// hypotheses and settled by it, beside it the outcomes that were expected of it and not seen.
class DecisionTree {
 public:
  /// `settled`: the axes whose values became fewer by it (narrowed_words).
  void add(const InferenceStep& step, const std::string& settled);

  /// Ends with the finding's verdict.
  std::string text(const Finding& finding) const;

 private:
  struct Decision {
    std::string probe;
    std::string left;
    std::string settled;
    int other_outcomes = 0;
  };

  std::vector<Decision> decisions_;
};

}  // namespace cuvier
