#include "solver/audit/audit.h"

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "hypotheses/scheduler/topology.h"
#include "probes/named.h"
#include "solver/audit/clash.h"
#include "solver/minimise/minimise.h"
#include "solver/space/hypothesis_sets.h"

namespace cuvier {
namespace {

/// One audit at work.
class Auditor {
 public:
  Auditor(const std::vector<RecordingSet>& sets, const Hypothesis& model,
          const Assumptions& assumptions, const ComparisonOptions& options, const Task& task,
          const ToldOfAxis& told)
      : sets_(sets),
        model_(model),
        assumptions_(assumptions),
        options_(options),
        task_(task),
        told_(told),
        orders_(sets.front().device),
        explanations_(sets.front().device, assumptions, model.order, sessions_of(sets), task_) {}

  void run(Audit& audit) {
    audit.hypotheses = consider();
    if (explaining_ == diagrams().no()) {
      find_nearest(audit);
    } else {
      audit.mechanism = nearest_to(explaining_, model_);
    }
    audit.explaining = number_of(explaining_);
    look_at_axes(audit);
  }

 private:
  Diagrams& diagrams() { return explanations_.diagrams(); }

  double number_of(Ref set) { return diagrams().count(distinct(diagrams(), orders_, set)); }

  /// Last resorts are considered where nothing else explains everything, as in a check, and those
  /// that the model itself takes. How many hypotheses that makes.
  double consider() {
    double number = 0;
    considered_ = explaining_ = diagrams().no();
    for (const Assumptions& part : parts_of(assumptions_)) {
      if (explaining_ != diagrams().no() && !is_in(part, model_)) continue;
      const Ref set = diagrams().both(explanations_.assumed(), set_of(diagrams(), part));
      number += number_of(diagrams().without(set, considered_));
      considered_ = diagrams().either(considered_, set);
      explaining_ = diagrams().either(explaining_, explanations_.all_of(set));
    }
    return number;
  }

  static bool is_in(const Assumptions& part, const Hypothesis& hypothesis) {
    for (int axis = 0; axis < kAxes; ++axis) {
      if (!part.allows(axis, hypothesis.values[axis])) return false;
    }
    return true;
  }

  /// Nothing explains everything: goes on with what explains most, and what that explains.
  void find_nearest(Audit& audit) {
    const NearestMiss miss = nearest_miss(explanations_, explanations_.assumed(), model_);
    RefutedSpace& refuted = audit.refuted.emplace();
    std::unique_ptr<Explanations> clashing;
    refuted.clash = evidence_against(explanations_.assumed(), clashing);
    refuted.clash.sessions = needed_facts(*clashing, task_);
    refuted.equals = miss.equals;
    for (const int s : miss.left_out) {
      for (const Recording& recording : explanations_.sessions()[s]) {
        refuted.left_out.push_back(recording.name());
      }
    }
    explanations_.leave_out(miss.left_out);
    left_out_ = miss.left_out;
    consider();
    audit.mechanism = nearest_to(explaining_, model_);
    refuted.wrong = mismatches(sets_, audit.mechanism);
    refuted.pattern = pattern_of(told_apart(sets_, audit.mechanism, refuted.wrong));
  }

  /// Without the sessions: needed_facts() of what clashes says with which facts.
  Evidence evidence_against(Ref set, std::unique_ptr<Explanations>& clashing) {
    const Clash clash = find_clash(explanations_, set);
    clashing = std::make_unique<Explanations>(explanations_, clash.sessions, set);
    return {{}, clash.smallest, clash.others, clash.most_counted};
  }

  /// Those of the assumed hypotheses that have the value where it matters.
  Ref having(int axis, int value) {
    const Ref where = diagrams().both(considered_, mattering(diagrams(), axis));
    return diagrams().both(where, diagrams().literal(axis, 1u << value));
  }

  /// One value that an axis could have; none of an axis that has no others to look at.
  struct Row {
    int axis;
    std::optional<OtherValue> other;
    bool is_last = false;                              ///< of its axis
    std::unique_ptr<Explanations> clashing = nullptr;  ///< the sessions that refute it
  };

  std::vector<Row> rows(const Hypothesis& mechanism) {
    std::vector<Row> rows;
    for (int axis = 0; axis < kAxes; ++axis) {
      if (!concerns(sets_.front().device, axis)) continue;
      const std::size_t before = rows.size();
      for (int value = 0; value < axis_size(axis) && matters(axis, mechanism); ++value) {
        if (value == mechanism.values[axis] || having(axis, value) == diagrams().no()) continue;
        OtherValue other{value, mechanism, {}, {}, {}, {}};
        other.changed.values[axis] = static_cast<std::uint8_t>(value);
        other.changed = with_order(other.changed);
        rows.push_back({axis, std::move(other)});
      }
      if (rows.size() == before) rows.push_back({axis, {}});
      rows.back().is_last = true;
    }
    return rows;
  }

  /// What the recordings say of a row, and what tells its value from the mechanism's, is found row
  /// by row: the diagrams are for one thread, and a process forked for Z3 must not find it at work
  /// in another. What is found is made small on all cores, clashes and probes, and told of in the
  /// rows' order.
  void look_at_axes(Audit& audit) {
    const Hypothesis& mechanism = audit.mechanism;
    std::vector<Row> rows = this->rows(mechanism);
    rows_ = rows.size();
    auto next = rows.begin();
    const auto look_at_next = [&](tbb::flow_control& control) -> Row* {
      if (next == rows.end()) {
        control.stop();
        return nullptr;
      }
      if (next->other) look_at(*next, mechanism);
      return &*next++;
    };
    const auto make_small = [&](Row* row) {
      if (row->other) make_row_small(*row, mechanism);
      return row;
    };
    AxisAudit axis;
    const auto tell = [&](Row* row) {
      if (row->other) axis.others.push_back(std::move(*row->other));
      ++looked_at_;
      if (!row->is_last) return;
      axis.axis = row->axis;
      conclude(axis, mechanism);
      audit.axes.push_back(std::exchange(axis, {}));
      if (told_) told_(audit.axes.back());
    };
    using Mode = tbb::filter_mode;
    // All rows may be under way at once: one that takes long keeps no core from the others.
    tbb::parallel_pipeline(rows.size(),
                           tbb::make_filter<void, Row*>(Mode::serial_in_order, look_at_next) &
                               tbb::make_filter<Row*, Row*>(Mode::parallel, make_small) &
                               tbb::make_filter<Row*, void>(Mode::serial_in_order, tell));
  }

  /// What follows of an axis from what is known of its other values.
  void conclude(AxisAudit& audit, const Hypothesis& mechanism) const {
    audit.assumed = model_.values[audit.axis];
    if (!matters(audit.axis, mechanism)) return;
    audit.support = audit.others.empty() ? Support::taken_for_granted : support_of(audit);
    if (!assumptions_.allows(audit.axis, audit.assumed)) {
      audit.support = Support::excluded;
    } else if (audit.assumed != mechanism.values[audit.axis]) {
      audit.support = Support::contradicted;
      for (const OtherValue& other : audit.others) {
        if (other.value != audit.assumed) continue;
        audit.contradiction = other.evidence;
        audit.refutation = other.refutation;
      }
    }
  }

  Task task_for(int axis, const OtherValue& other) const {
    const std::string value =
        fmt::format("{}={}", axis_info(axis).name, axis_value(axis, other.value).name);
    return task_.retold([this, value](const Doing& doing) {
      return Doing{value + ": " + doing.what, looked_at_.load(), rows_};
    });
  }

  /// All but how small the clash and the difference can be made.
  void look_at(Row& row, const Hypothesis& mechanism) {
    const int axis = row.axis;
    OtherValue& other = *row.other;
    const Task task = task_for(axis, other);
    task.doing("what the recordings say of it");
    if (diagrams().value_at(explaining_, other.changed) == 1) {
      other.rival = other.changed;
    } else {
      other.refutation = refutation_of(other.changed);
      const Ref with_value = having(axis, other.value);
      const Ref explaining = diagrams().both(explaining_, with_value);
      if (explaining == diagrams().no()) {
        other.evidence = evidence_against(with_value, row.clashing);
      } else {
        other.rival = nearest_to(explaining, mechanism);
      }
    }
    other.difference = compare(explanations_.device(), mechanism, other.changed, options_, task);
  }

  void make_row_small(Row& row, const Hypothesis& mechanism) const {
    OtherValue& other = *row.other;
    const Task task = task_for(row.axis, other);
    if (row.clashing) other.evidence->sessions = needed_facts(*row.clashing, task);
    row.clashing.reset();
    auto& distinction = other.difference.distinction;
    if (!distinction) return;
    make_smaller(*distinction, explanations_.device(), mechanism, other.changed, options_.seed,
                 task);
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
    const auto kind = [](const OtherValue& other) { return other.difference.kind; };
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
  const Task task_;
  const ToldOfAxis& told_;
  const FirstOrders orders_;
  Explanations explanations_;
  std::vector<int> left_out_;               ///< sessions
  std::atomic<std::size_t> looked_at_ = 0;  ///< rows
  std::size_t rows_ = 0;
  Ref considered_ = 0;  ///< hypotheses
  Ref explaining_ = 0;  ///< of these, those that explain all others
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
  audit.pattern = pattern_of(told_apart(sets, model, audit.wrong));
  return audit;
}

/// What assumptions leave out, axis by axis. A formula that stands beside all named values, as the
/// model's own does, leaves out nothing.
std::vector<std::string> taken_for_granted(Assumptions assumptions, const Device& device) {
  const Assumptions all = Assumptions::all(device);
  for (int axis = 0; axis < kAxes; ++axis) {
    const bool has_all = (all.allowed[axis] & ~assumptions.allowed[axis]) == 0;
    if (has_all) assumptions.allowed[axis] = all.allowed[axis];
  }
  return assumptions.restrictions(device);
}

}  // namespace

std::string_view name_of(Support support) {
  return named(support, {"supported", "supported_given_rest", "untested", "contradicted",
                         "excluded", "irrelevant", "taken_for_granted", "undecided"});
}

Audit audit(const std::vector<RecordingSet>& sets, const Hypothesis& model,
            const Assumptions& assumptions, const ComparisonOptions& options, const Task& task,
            const ToldOfAxis& told) {
  const auto start = std::chrono::steady_clock::now();
  Audit audit = prediction_alone(sets, model);
  audit.taken_for_granted = taken_for_granted(assumptions, audit.device);
  audit.seed = options.seed;
  try {
    Auditor(sets, model, assumptions, options, task, told).run(audit);
  } catch (const Stopped& cut_short) {
    audit.cut_short = cut_short.why;
    if (audit.axes.empty()) audit.refuted.reset();
  }
  audit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return audit;
}

}  // namespace cuvier
