#pragma once

#include <string>

#include "corpus/store.h"
#include "hypotheses/assumptions.h"
#include "probes/oracle.h"
#include "reports/inference/decisions.h"
#include "solver/infer/inference.h"

namespace cuvier {

/// An inference that is to be, and the folder for what is found.
struct InferenceRun {
  std::string folder;
  Assumptions assumptions;
  InferenceOptions options;
  bool resume = false;  ///< from the answers in the folder; without, there must be none
};

/// Throws Error where the answers in a journal are of another simulated device, which is just what
/// it is called: no model explains those of two. (A program may have moved since.)
void expect_same_simulator(const std::string& journal, const std::string& source,
                           const std::string& oracle);

/// An inference with the folder in which all that it finds is kept: journal.jsonl while it asks,
/// and model.json, certificate/ and decisions.json of its end. So `infer` and `port` run one, and
/// so does a program that links cuvier::reports:
///
///     InferenceFolder folder("findings/mine", oracle, Assumptions::all(oracle.device()));
///     const Finding finding = folder.infer(oracle, {}, {});
///     folder.keep(finding, {});  // `cuvier verify findings/mine`, `cuvier report findings/mine`
class InferenceFolder {
 public:
  /// Opens it, or makes it. Answers that are there already are taken into account and not asked
  /// again. Throws Error, also where a model lies there without its journal, or where answers are
  /// of another simulated device.
  InferenceFolder(std::string path, const Oracle& oracle, Assumptions assumptions);

  const std::string& path() const { return path_; }
  const Journal& journal() const { return journal_; }
  /// Answers in it before this inference.
  int answers() const { return static_cast<int>(journal_.recorded().recordings.size()); }

  /// Where another map may explain more, asks about that, too (solver/infer/map_questions.h).
  /// Throws Error; where the oracle failed, what it answered before is kept.
  Finding infer(Oracle& oracle, const InferenceOptions& options, InferenceListener listener);

  /// Writes down what was found, and what it follows from. Ended early, throws Stopped: there is no
  /// certificate then, and the rest is written.
  void keep(const Finding& finding, const Task& task);

 private:
  std::string path_;
  Assumptions assumptions_;
  Journal journal_;
  Decisions decisions_;
};

}  // namespace cuvier
