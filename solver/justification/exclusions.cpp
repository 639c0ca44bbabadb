#include "solver/justification/exclusions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "solver/cancellation/task.h"
#include "solver/constraints/refutations.h"
#include "solver/evidence/runs.h"
#include "solver/space/hypothesis_sets.h"

namespace cuvier {
namespace {

std::string words(int axis, int value) {
  return fmt::format("{}={}", axis_info(axis).name, axis_value(axis, value).name);
}

bool is_left(const SurvivingValues& surviving, int axis, int value) {
  return std::ranges::find(surviving[axis], value) != surviving[axis].end();
}

/// Whether something may be left there.
bool may_hold(const Assumptions& part, const SurvivingValues& surviving) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (std::ranges::none_of(surviving[axis], [&](int v) { return part.allows(axis, v); })) {
      return false;
    }
  }
  return true;
}

bool has_learned_orders(const Assumptions& part) {
  return part.allows(index_of<TieBreak>(), TieBreak::learned);
}

/// What is said to be left among, beside what was assumed.
std::string among(const Assumptions& part, const Assumptions& assumed) {
  std::string last_resorts_there;
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::uint32_t resorts = last_resorts(axis) & assumed.allowed[axis];
    for (int v = 0; v < axis_size(axis); ++v) {
      if (!(resorts >> v & 1)) continue;
      last_resorts_there += fmt::format("{}{} {}", last_resorts_there.empty() ? "" : ", ",
                                        part.allows(axis, v) ? "with" : "without", words(axis, v));
    }
  }
  return last_resorts_there.empty() ? "" : " (" + last_resorts_there + ")";
}

std::string who_has(const std::vector<RefutedValues::Value>& values) {
  std::vector<std::string> each;
  for (const auto& [axis, value] : values) each.push_back(words(axis, value));
  return fmt::format(" who has {}", fmt::join(each, " or "));
}

/// Adds the recordings until that alone is left, or they end: the rest refutes nobody. What is too
/// much is left out with all that ran after it in its session; and so is what was asked a second
/// time, alone, which an inference that goes on from its journal does not take again.
void observe_all(Refutations& refutations, const RecordingSet& recordings,
                 const SurvivingValues& left, const Task& task) {
  bool lost = false;
  for (const Recording& recording : recordings.recordings) {
    lost = (lost && !recording.fresh) || recording.name().ends_with(kAlone);
    if (lost || refutations.surviving() == left) continue;
    task.doing("working out constraints: {}", recording.name());
    try {
      refutations.observe(recording);
    } catch (const GaveUp&) {
      lost = true;
    }
  }
}

}  // namespace

Exclusions exclusions_of(const RecordingSet& recordings, const Assumptions& assumed,
                         const SurvivingValues& surviving, const Task& task) {
  Exclusions exclusions;
  std::vector<Assumptions> considered;
  for (const Assumptions& part : parts_of(assumed)) {
    if (std::ranges::any_of(part.allowed, [](std::uint32_t some) { return some == 0; })) continue;
    considered.push_back(part);
    if (may_hold(part, surviving)) break;
  }

  for (int axis = 0; axis < kAxes; ++axis) {
    for (int v = 0; v < axis_size(axis); ++v) {
      if (!assumed.allows(axis, v) || is_left(surviving, axis, v)) continue;
      const bool tried = std::ranges::any_of(
          considered, [&](const Assumptions& part) { return part.allows(axis, v); });
      using enum ExcludedValue::By;
      exclusions.values.push_back({axis, v, tried ? constraints : last_resort, {}});
    }
  }
  for (const Assumptions& part : considered) {
    using enum ExcludedValue::By;
    const auto with = [&](const ExcludedValue& each) {
      return each.by != last_resort && part.allows(each.axis, each.value);
    };
    if (has_learned_orders(part)) {
      for (ExcludedValue& each : exclusions.values) {
        if (with(each)) each.by = each.lemmas.empty() ? diagrams : named_orders;
      }
      continue;
    }
    Refutations refutations(recordings.device, part);
    const SurvivingValues nobody;
    observe_all(refutations, recordings, may_hold(part, surviving) ? surviving : nobody, task);
    RefutedValues refuted = refutations.refuted();
    std::string lemma;
    if (!refuted.values.empty()) {
      lemma = fmt::format("refuted-{:03}", exclusions.lemmas.size() + 1);
      const std::string who = refutations.surviving() == nobody ? "" : who_has(refuted.values);
      exclusions.lemmas.push_back(
          {lemma,
           fmt::format("Of the hypotheses{} nobody{} explains what was recorded.",
                       among(part, assumed), who),
           std::move(refuted.smt2)});
    }
    for (ExcludedValue& each : exclusions.values) {
      if (!with(each)) continue;
      const auto is_this = [&](const RefutedValues::Value& value) {
        return value.axis == each.axis && value.value == each.value;
      };
      if (std::ranges::any_of(refuted.values, is_this)) {
        each.lemmas.push_back(lemma);
      } else {
        each.by = diagrams;
        each.lemmas.clear();
      }
    }
  }
  return exclusions;
}

}  // namespace cuvier
