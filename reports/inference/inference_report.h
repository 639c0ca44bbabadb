#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"
#include "reports/certificate/claimed_model.h"
#include "reports/inference/decisions.h"
#include "solver/cancellation/task.h"
#include "solver/finding/mismatches.h"
#include "solver/finding/single_changes.h"

namespace cuvier {

/// What is told of an inference: of what it left in its folder, and of what follows from that.
struct InferenceReport {
  std::string folder;
  ClaimedModel model;
  std::optional<Hypothesis> mechanism;  ///< or what comes nearest to one
  Decisions decisions;
  RecordingSet recordings;  ///< what counts: where runs were put to the vote, the outcomes
  std::vector<std::vector<Mismatch>> wrong;  ///< by recording: what the mechanism gets wrong
  std::vector<SingleChange> changes;         ///< of the mechanism
  int lemmas = -1;                           ///< of its certificate; -1: there is none
};

/// Reads DIR. Throws Stopped where the task is to end. Throws Error.
InferenceReport read_inference(const std::string& dir, const Task& task);

/// Which axis has what to say of the mechanism, in a sentence: those first in which it differs from
/// Algorithm 1.
struct Sentence {
  int axis = 0;
  bool settled = false;
  bool unlike_algorithm_1 = false;
  std::string text;
};
std::vector<Sentence> sentences_of(const InferenceReport& report);

/// What became of the values of an axis.
enum class AxisRole {
  settled,  ///< one is left
  open,     ///< several are, and may be told apart
  alike,    ///< several are, and it is proved that no probe tells them apart
  idle,     ///< it is without effect, given what is settled
  given,    ///< only one was considered: the device permits no other, or an assumption
};
AxisRole role_of(const InferenceReport& report, int axis);

enum class ValueState {
  left,
  refuted,
  last_resort,  ///< was not needed: something without it explains everything
  excluded,     ///< was not considered: the device does not permit it, or an assumption
};
struct ValueFate {
  ValueState state = ValueState::left;
  std::optional<int> refuted_by;  ///< index into the decisions: it stays away from there on
};
ValueFate fate_of(const InferenceReport& report, int axis, int value);

}  // namespace cuvier
