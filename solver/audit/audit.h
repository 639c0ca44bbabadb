#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/diagnosis/refutation.h"
#include "solver/finding/mismatches.h"
#include "solver/finding/pattern.h"
#include "solver/query_selection/comparison.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// Recordings that nothing of a set of hypotheses explains together. If any recording or fact
/// is left out, something does.
struct Evidence {
  std::vector<Session> sessions;  ///< with the facts that clash, and no other
  bool smallest = false;          ///< proved: fewer sessions do not clash
  int others = 0;                 ///< further minimal clashes of at most `most_counted` sessions
  int most_counted = 0;
};

/// How far recordings support the value that a mechanism has on one axis.
enum class Support {
  supported,             ///< every other value is refuted, whatever the other axes are
  supported_given_rest,  ///< every other value is refuted as long as the other axes stay
  untested,              ///< some other value explains everything as well
  contradicted,          ///< the model's value is refuted; the mechanism has another
  excluded,              ///< an assumption alone rules the model's value out: no fact was asked
  irrelevant,            ///< no other value makes a difference
  taken_for_granted,     ///< no other value was looked at
  undecided,             ///< of some other value it is not known whether it makes one
};

std::string_view name_of(Support support);

/// What is known of another value that an axis could have.
struct OtherValue {
  int value = 0;
  Hypothesis changed;                    ///< the mechanism with it
  std::optional<Refutation> refutation;  ///< if `changed` does not explain everything: by what
  std::optional<Evidence> evidence;      ///< if nothing that has the value does: by what
  std::optional<Hypothesis> rival;       ///< otherwise what does, and is most like the mechanism
  Comparison difference;                 ///< of the mechanism (A) and `changed` (B), made small
};

struct AxisAudit {
  int axis = 0;
  int assumed = 0;  ///< the model's value; the mechanism's differs if it is contradicted
  Support support = Support::irrelevant;
  std::optional<Evidence> contradiction;  ///< contradicted: whatever the other axes are
  std::optional<Refutation> refutation;   ///< contradicted: with the mechanism's other values
  std::vector<OtherValue> others;         ///< than the mechanism's; none if it does not matter
};

/// Where no hypothesis explains all recordings.
struct RefutedSpace {
  Evidence clash;
  std::vector<std::string> left_out;  ///< recordings that the mechanism does not explain
  double equals = 0;                  ///< hypotheses that explain as many sessions
  std::vector<Mismatch> wrong;        ///< what the mechanism gets wrong of them
  std::optional<Pattern> pattern;     ///< in that
};

/// What recordings say of each assumption of a model.
struct Audit {
  Device device;
  std::string source;
  Hypothesis model;
  std::vector<Mismatch> wrong;     ///< what the model gets wrong
  std::optional<Pattern> pattern;  ///< in that
  Hypothesis mechanism;            ///< most like the model of what explains (nearly) everything
  std::optional<RefutedSpace> refuted;
  std::vector<std::string> taken_for_granted;  ///< "AXIS=VALUE[,VALUE...]"
  int recordings = 0;
  int facts = 0;
  double hypotheses = 0;  ///< with named orders, before (counted as in HypothesisCount)
  double explaining = 0;
  std::vector<AxisAudit> axes;  ///< in the table's order
  std::string cut_short;  ///< why it ended early, if so: the axes are only the first, or none,
                          ///< and then nothing is known of the space nor of a mechanism
  std::uint64_t seed = 1;
  double seconds = 0;
};

using ToldOfAxis = std::function<void(const AxisAudit&)>;

/// Audits a model by recordings of one device, among the assumed hypotheses that have a named
/// order, and tells of each axis once it is known. Throws GaveUp (solver/cancellation/task.h) where
/// a recording tells too little. If the task is to end, the audit is what is known by then.
Audit audit(const std::vector<RecordingSet>& sets, const Hypothesis& model,
            const Assumptions& assumptions, const ComparisonOptions& options, const Task& task,
            const ToldOfAxis& told = {});

}  // namespace cuvier
