#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probes/fact.h"
#include "reports/certificate/claimed_model.h"
#include "reports/document/page.h"
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

/// What each axis says of the mechanism that says anything: those first in which it differs from
/// Algorithm 1.
struct Sentence {
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

/// All that is told of an inference, for other programs and for the page (reports/document/html):
/// `model` as in model.json; `verdict`, the words; `axes` with what became of each value; `steps`
/// as in decisions.json, and which of the `recordings` shows each; `matrix`: which recordings
/// contradict the mechanism with one axis changed, and of each recording how many in which step
/// first; `certificate`.
nlohmann::ordered_json report_json(const InferenceReport& report);

/// What to do where no hypothesis explains what is right.
inline constexpr std::string_view after_refuted =
    "If the answers are right, the rule is one that no hypothesis has. cuvier invent proposes it:\n"
    "the same options, and --resume.";

/// What a GPU does, how that is known, and what became of every value. The page for browsers has
/// the same of report_json(), to be walked through.
Page inference_page(const InferenceReport& report);

}  // namespace cuvier
