#include "solver/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "solver/audit/clash.h"
#include "solver/audit/nearest.h"
#include "solver/ending/cut_short.h"
#include "solver/finding/mismatches.h"
#include "solver/space/hypothesis_sets.h"

namespace cuvier {
namespace {

using Doing = std::function<void(const std::string&)>;

/// One audit at work.
class Auditor {
 public:
  Auditor(const std::vector<RecordingSet>& sets, const Hypothesis& model,
          const Assumptions& assumptions, const ComparisonOptions& options, const Doing& doing)
      : sets_(sets),
        model_(model),
        assumptions_(assumptions),
        options_(options),
        doing_(doing),
        explanations_(sets.front().device, assumptions, model.order, sessions_of(sets), doing) {}

  void run(Audit& audit) {
    audit.hypotheses = number_of(explanations_.assumed());
    explaining_ = explanations_.all_of(explanations_.assumed());
    if (explaining_ == diagrams().no()) {
      find_nearest(audit);
    } else {
      audit.mechanism = nearest_to(explaining_, model_);
    }
    audit.explaining = number_of(explaining_);
    for (int axis = 0; axis < kAxes; ++axis) {
      audit.axes.push_back(axis_audit(axis, audit.mechanism));
    }
  }

 private:
  Diagrams& diagrams() { return explanations_.diagrams(); }

  double number_of(Ref set) { return diagrams().count(distinct(diagrams(), set)); }

  /// Nothing explains everything: goes on with what explains most, and what that explains.
  void find_nearest(Audit& audit) {
    const NearestMiss miss = nearest_miss(explanations_, explanations_.assumed(), model_);
    audit.mechanism = with_order(miss.hypothesis);
    RefutedSpace& refuted = audit.refuted.emplace();
    refuted.clash = evidence_against(explanations_.assumed());
    refuted.equals = miss.equals;
    for (const int s : miss.left_out) {
      for (const Recording& recording : explanations_.sessions()[s]) {
        refuted.left_out.push_back(recording.name());
      }
    }
    refuted.wrong = mismatches(sets_, audit.mechanism);
    refuted.pattern = pattern_of(told_apart(sets_, refuted.wrong));
    explanations_.leave_out(miss.left_out);
    left_out_ = miss.left_out;
    explaining_ = explanations_.all_of(explanations_.assumed());
  }

  Evidence evidence_against(Ref set) {
    const Clash clash = find_clash(explanations_, set);
    return {needed_facts(explanations_, set, clash, doing_), clash.smallest, clash.others,
            clash.most_counted};
  }

  /// Those of the assumed hypotheses that have the value where it matters.
  Ref having(int axis, int value) {
    const Ref where = diagrams().both(explanations_.assumed(), mattering(diagrams(), axis));
    return diagrams().both(where, diagrams().literal(axis, 1u << value));
  }

  AxisAudit axis_audit(int axis, const Hypothesis& mechanism) {
    AxisAudit audit{axis, model_.values[axis], Support::irrelevant, {}, {}, {}};
    if (!matters(axis, mechanism)) return audit;
    for (int value = 0; value < axis_size(axis); ++value) {
      if (value == mechanism.values[axis] || !assumptions_.allows(axis, value) ||
          (axis == index_of<TieBreak>() && value == TieBreak::learned && model_.order.empty())) {
        continue;
      }
      doing_(fmt::format("{}={}", axis_info(axis).name, axis_info(axis).values[value].name));
      audit.others.push_back(other_value(axis, value, mechanism));
    }
    audit.support = audit.others.empty() ? Support::taken_for_granted : support_of(audit);
    if (!assumptions_.allows(axis, audit.assumed)) {
      audit.support = Support::excluded;
    } else if (audit.assumed != mechanism.values[axis]) {
      audit.support = Support::contradicted;
      for (const OtherValue& other : audit.others) {
        if (other.value != audit.assumed) continue;
        audit.contradiction = other.evidence;
        audit.refutation = other.refutation;
      }
    }
    return audit;
  }

  OtherValue other_value(int axis, int value, const Hypothesis& mechanism) {
    OtherValue other{value, mechanism, {}, {}, {}, {}};
    other.changed.values[axis] = static_cast<std::uint8_t>(value);
    other.changed = with_order(other.changed);
    if (diagrams().value_at(explaining_, other.changed) == 1) {
      other.rival = other.changed;
    } else {
      other.refutation = refutation_of(other.changed);
      const Ref with_value = having(axis, value);
      const Ref explaining = diagrams().both(explaining_, with_value);
      if (explaining == diagrams().no()) {
        other.evidence = evidence_against(with_value);
      } else {
        other.rival = nearest_to(explaining, mechanism);
      }
    }
    const std::string name =
        fmt::format("{}={}", axis_info(axis).name, axis_info(axis).values[value].name);
    other.difference =
        smallest_distinction(explanations_.device(), mechanism, other.changed, options_,
                             [&](const std::string& what) { doing_(name + ": " + what); });
    return other;
  }

  std::optional<Refutation> refutation_of(const Hypothesis& hypothesis) const {
    RecordingSet kept{{}, explanations_.device(), {}};
    for (int s = 0; s < explanations_.size(); ++s) {
      if (std::ranges::find(left_out_, s) != left_out_.end()) continue;
      const Session& session = explanations_.sessions()[s];
      kept.recordings.insert(kept.recordings.end(), session.begin(), session.end());
      kept.recordings[kept.recordings.size() - session.size()].fresh = true;
    }
    return smallest_refutation(kept, hypothesis);
  }

  Hypothesis with_order(Hypothesis hypothesis) const {
    hypothesis.order.clear();
    if (hypothesis.get<TieBreak>() == TieBreak::learned) hypothesis.order = model_.order;
    return hypothesis;
  }

  Hypothesis nearest_to(Ref set, const Hypothesis& base) {
    return with_order(nearest(diagrams(), set, base));
  }

  static Support support_of(const AxisAudit& audit) {
    const auto any = [&](auto holds) { return std::ranges::any_of(audit.others, holds); };
    using Kind = Comparison::Kind;
    const auto kind = [](const OtherValue& other) { return other.difference.comparison.kind; };
    const auto explains = [](const OtherValue& other) { return !other.refutation; };
    if (any([&](auto& o) { return explains(o) && kind(o) == Kind::different; })) {
      return Support::untested;
    }
    if (any([&](auto& o) { return explains(o) && kind(o) != Kind::equivalent; })) {
      return Support::undecided;
    }
    if (std::ranges::none_of(audit.others, [](auto& o) { return o.refutation.has_value(); })) {
      return Support::irrelevant;
    }
    return any([](auto& o) { return o.refutation && o.rival; }) ? Support::supported_given_rest
                                                                : Support::supported;
  }

  const std::vector<RecordingSet>& sets_;
  const Hypothesis& model_;
  const Assumptions& assumptions_;
  const ComparisonOptions& options_;
  const Doing& doing_;
  Explanations explanations_;
  std::vector<int> left_out_;  ///< sessions
  Ref explaining_ = 0;         ///< all others
};

/// What is known of the model before any other hypothesis is looked at.
Audit prediction_alone(const std::vector<RecordingSet>& sets, const Hypothesis& model) {
  Audit audit;
  audit.device = sets.front().device;
  audit.model = model;
  for (const RecordingSet& set : sets) {
    audit.source += (audit.source.empty() ? "" : ", ") + set.source;
    audit.recordings += static_cast<int>(set.recordings.size());
    for (const Recording& recording : set.recordings) {
      audit.facts += static_cast<int>(recording.facts.size());
    }
  }
  audit.wrong = mismatches(sets, model);
  audit.pattern = pattern_of(told_apart(sets, audit.wrong));
  return audit;
}

}  // namespace

std::string_view name_of(Support support) {
  switch (support) {
    case Support::supported:
      return "supported";
    case Support::supported_given_rest:
      return "supported_given_rest";
    case Support::untested:
      return "untested";
    case Support::contradicted:
      return "contradicted";
    case Support::excluded:
      return "excluded";
    case Support::irrelevant:
      return "irrelevant";
    case Support::taken_for_granted:
      return "taken_for_granted";
    case Support::undecided:
      break;
  }
  return "undecided";
}

Audit audit(const std::vector<RecordingSet>& sets, const Hypothesis& model,
            const Assumptions& assumptions, const ComparisonOptions& options,
            const std::function<void(const std::string&)>& doing) {
  const auto start = std::chrono::steady_clock::now();
  Audit audit = prediction_alone(sets, model);
  audit.taken_for_granted = assumptions.restrictions(audit.device);
  audit.seed = options.seed;
  try {
    Auditor(sets, model, assumptions, options, doing).run(audit);
  } catch (const CutShort& cut_short) {
    audit.cut_short = cut_short.why;
    if (audit.axes.empty()) audit.refuted.reset();
  }
  audit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return audit;
}

}  // namespace cuvier
