#include "solver/diagnosis/other_maps.h"

#include <algorithm>
#include <optional>
#include <set>

#include "hypotheses/scheduler/topology.h"
#include "probes/error.h"
#include "solver/cancellation/task.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

constexpr std::size_t most_cuts = 20;  // of an order into GPCs: they are tried
constexpr std::size_t most_found = 8;

/// In which an idle device took a block on each SM, where the recording shows that.
std::optional<std::vector<int>> order_shown_by(const Recording& recording, int sms) {
  if (!recording.fresh || recording.facts.empty()) return std::nullopt;
  const Fact& first = recording.facts.front();
  if (first.kind != Fact::Kind::sm || first.step != 0 || std::ssize(first.values) < sms ||
      recording.probe.kernels[first.kernel].cluster) {
    return std::nullopt;
  }
  std::vector<int> order(first.values.begin(), first.values.begin() + sms);
  if (std::set<int>(order.begin(), order.end()).size() < order.size()) return std::nullopt;
  return order;
}

/// The orders that no map may be needed for, if they are named ones.
std::vector<std::vector<int>> orders_in(const Finding& finding,
                                        const std::vector<RecordingSet>& sets) {
  if (finding.mechanism) return {finding.mechanism->order};
  std::vector<std::vector<int>> orders;
  for (const RecordingSet& set : sets) {
    for (const Recording& recording : set.recordings) {
      auto order = order_shown_by(recording, finding.device.sms);
      if (order && std::ranges::find(orders, *order) == orders.end()) {
        orders.push_back(*std::move(order));
      }
    }
  }
  return orders;
}

/// Whether an axis is about what a map says.
bool is_about_maps(int axis) {
  for (int value = 0; value < named_values(axis); ++value) {
    if (axis_value(axis, value).needs != Needs::nothing) return true;
  }
  return false;
}

/// What is considered under another map: what was assumed but for last resorts, and where an order
/// was learned the rest as found. Nothing where that is impossible.
std::optional<Assumptions> assumed_under(const Device& mapped, const Finding& finding) {
  Assumptions assumed = Assumptions::all(mapped);
  try {
    if (finding.assumed) {
      for (const std::string& text : finding.assumed->restrictions(finding.device)) {
        assumed.restrict_by(text);
      }
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  assumed = assumed.without_last_resorts();
  if (assumed.allows(index_of<TieBreak>(), TieBreak::learned)) return std::nullopt;
  for (int axis = 0; finding.mechanism && axis < kAxes; ++axis) {
    if (!is_about_maps(axis)) assumed.allowed[axis] = 1u << finding.mechanism->values[axis];
  }
  return assumed;
}

/// Whether some named order comes out as this one.
bool has_order(const Device& device, const Assumptions& assumed, const std::vector<int>& order) {
  for (int value = 0; value < named_values(index_of<TieBreak>()); ++value) {
    if (assumed.allows(index_of<TieBreak>(), value) &&
        named_order(device, static_cast<TieBreak::Value>(value)) == order) {
      return true;
    }
  }
  return false;
}

/// The simplest that explains all sessions.
std::optional<Hypothesis> simplest_under(const Device& device, const Assumptions& assumed,
                                         const std::vector<Session>& sessions, const Task& task) {
  try {
    VersionSpace space(device, assumed);
    for (const Session& session : sessions) {
      for (const Recording& recording : session) {
        if (space.empty()) return std::nullopt;
        space.observe(recording, task);
      }
    }
    if (!space.empty()) return space.simplest();
  } catch (const GaveUp&) {  // then nothing is claimed of this map
  }
  return std::nullopt;
}

}  // namespace

std::vector<OtherMap> other_maps(const Finding& finding, const std::vector<RecordingSet>& sets,
                                 const Task& task) {
  const bool is_learned =
      finding.mechanism && finding.mechanism->get<TieBreak>() == TieBreak::learned;
  if (!is_learned && finding.verdict != Verdict::refuted) return {};
  const auto clusters = clusters_in(sets);
  std::vector<Session> sessions = sessions_of(sets);
  most_telling_first(sessions);
  std::vector<OtherMap> found;
  const auto try_map = [&](const Device& mapped, const std::vector<int>& order) {
    const auto assumed = assumed_under(mapped, finding);
    if (!assumed || mapped == finding.device ||
        std::ranges::find(found, mapped, &OtherMap::device) != found.end() ||
        !holds_together(mapped, clusters) ||
        (!order.empty() && !has_order(mapped, *assumed, order))) {
      return;
    }
    task.doing("trying another map of the device: {} found", found.size());
    if (const auto mechanism = simplest_under(mapped, *assumed, sessions, task)) {
      found.push_back({mapped, *mechanism, static_cast<int>(clusters.size())});
    }
  };
  try {
    for (const std::vector<int>& order : orders_in(finding, sets)) {
      const auto by_own_map = assumed_under(finding.device, finding);
      if (by_own_map && has_order(finding.device, *by_own_map, order)) continue;
      for (const Device& mapped : maps_for(finding.device, order, most_cuts)) {
        if (found.size() < most_found) try_map(mapped, order);
      }
    }
    if (!clusters.empty()) try_map(mapped_by(clusters, finding.device), {});
  } catch (const Stopped&) {  // the finding is none the worse
  }
  std::ranges::stable_sort(found, {}, [&](const OtherMap& map) {
    const bool of_tpcs = map.device.tpc_of_sm != finding.device.tpc_of_sm;
    return groups_of(map.device, of_tpcs ? Hierarchy::tpc : Hierarchy::gpc).size();
  });
  return found;
}

}  // namespace cuvier
