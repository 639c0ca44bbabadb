#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "probes/json_fields.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/placements/placements_report.h"

namespace cuvier {
namespace {

constexpr double step_us = 1000;
constexpr int most_lanes = 1000;  ///< of an SM: more than blocks are ever resident on one
constexpr int host = 0;           ///< the host's process; the GPCs' are from 1 on

/// One block while it is resident.
struct Resident {
  int sm = 0;
  int lane = 0;
  double since_us = 0;
};

bool says_that_any_starts(const Fact& fact) {
  using enum Fact::Kind;
  if (fact.kind == warp_slot) return fact.slots.size() > 0;
  if (fact.lists_sms()) return !fact.values.empty();
  return fact.kind != shared_config && fact.values[0] > 0;
}

class Timeline {
 public:
  explicit Timeline(const Device& device) : device_(device) {
    name_process(host, "host");
    name_thread(host, 0, "probes");
    name_thread(host, 1, "actions");
    for (int sm = 0; sm < device_.sms; ++sm) {
      if (gpcs_.insert(process_of(sm)).second) name_process(process_of(sm), process_name(sm));
    }
  }

  /// Each step takes a millisecond.
  void show(const Recording& recording) {
    std::vector<double> at_us;
    for (std::size_t step = 0; step < recording.probe.script.size(); ++step) {
      at_us.push_back(now_us_ + static_cast<double>(step) * step_us);
    }
    show(recording, at_us, now_us_ + static_cast<double>(at_us.size()) * step_us);
    now_us_ += step_us;
  }

  /// Its steps are at these times; what is resident then is so until the end.
  void show(const Recording& recording, const std::vector<double>& at_us, double end_us) {
    const Probe& probe = recording.probe;
    const double begin_us = at_us.empty() ? now_us_ : at_us.front();
    started_.assign(probe.kernels.size(), 0);
    std::vector<std::vector<Fact>> starts(probe.script.size());
    for (Fact& fact : numbered_starts(recording)) starts[fact.step].push_back(std::move(fact));
    for (std::size_t step = 0; step < probe.script.size(); ++step) {
      now_us_ = at_us[step];
      const Action& action = probe.script[step];
      events_.push_back({{"name", action_words(action, probe)},
                         {"ph", "i"},
                         {"s", "t"},
                         {"ts", json_number(now_us_)},
                         {"pid", host},
                         {"tid", 1}});
      for (const Release& release : action.releases) let_go(release, probe);
      for (const Fact& fact : starts[step]) start(fact);
    }
    now_us_ = end_us;
    while (!resident_.empty()) leave(resident_.begin()->first, probe);
    events_.push_back({{"name", recording.name()},
                       {"ph", "X"},
                       {"ts", json_number(begin_us)},
                       {"dur", json_number(now_us_ - begin_us)},
                       {"pid", host},
                       {"tid", 0}});
  }

  Json json() && { return {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events_)}}; }

 private:
  using Block = std::pair<int, int>;  ///< kernel, number

  int process_of(int sm) const { return device_.gpc_of_sm.empty() ? 1 : 1 + device_.gpc_of_sm[sm]; }

  std::string process_name(int sm) const {
    return device_.gpc_of_sm.empty() ? device_.name : fmt::format("GPC {}", device_.gpc_of_sm[sm]);
  }

  void name(const char* what, int process, int thread, Json arguments) {
    events_.push_back({{"name", what},
                       {"ph", "M"},
                       {"pid", process},
                       {"tid", thread},
                       {"args", std::move(arguments)}});
  }
  void name_process(int process, const std::string& text) {
    name("process_name", process, 0, {{"name", text}});
    name("process_sort_index", process, 0, {{"sort_index", process}});
  }
  void name_thread(int process, int thread, const std::string& text) {
    name("thread_name", process, thread, {{"name", text}});
    name("thread_sort_index", process, thread, {{"sort_index", thread}});
  }

  void start(const Fact& fact) {
    for (const int sm : fact.values) {
      std::vector<bool>& lanes = lanes_[sm];
      const auto free = std::ranges::find(lanes, false);
      const int lane = static_cast<int>(free - lanes.begin());
      if (free == lanes.end()) {
        lanes.push_back(false);
        name_thread(process_of(sm), sm * most_lanes + lane,
                    lane == 0 ? fmt::format("SM {}", sm) : fmt::format("SM {} ({})", sm, lane + 1));
      }
      lanes[lane] = true;
      resident_[{fact.kernel, started_[fact.kernel]++}] = {sm, lane, now_us_};
    }
  }

  void let_go(const Release& release, const Probe& probe) {
    if (!release.blocks.empty()) {
      for (const int number : release.blocks) {
        if (resident_.contains({release.kernel, number})) leave({release.kernel, number}, probe);
      }
      return;
    }
    const auto first = [&] { return resident_.lower_bound({release.kernel, 0}); };
    while (first() != resident_.end() && first()->first.first == release.kernel) {
      leave(first()->first, probe);
    }
  }

  void leave(const Block block, const Probe& probe) {
    const Resident where = resident_.at(block);
    const Kernel& kernel = probe.kernels[block.first];
    events_.push_back({{"name", fmt::format("{}[{}]", kernel.name, block.second)},
                       {"cat", kernel.name},
                       {"ph", "X"},
                       {"ts", json_number(where.since_us)},
                       {"dur", json_number(now_us_ - where.since_us)},
                       {"pid", process_of(where.sm)},
                       {"tid", where.sm * most_lanes + where.lane},
                       {"args", {{"sm", where.sm}, {"block", block.second}}}});
    lanes_[where.sm][where.lane] = false;
    resident_.erase(block);
  }

  const Device& device_;
  std::set<int> gpcs_;
  Json events_ = Json::array();
  double now_us_ = 0;
  std::vector<int> started_;  ///< blocks, by kernel
  std::map<Block, Resident> resident_;
  std::map<int, std::vector<bool>> lanes_;  ///< by SM: which are taken
};

}  // namespace

std::vector<Fact> numbered_starts(const Recording& recording) {
  std::vector<Fact> starts;
  std::set<std::pair<int, int>> told;  // kernel and step
  for (const Fact& fact : recording.facts) {
    if (fact.kind != Fact::Kind::sm) continue;
    starts.push_back(fact);
    told.emplace(fact.kernel, fact.step);
  }
  std::map<int, int> lost;  // by kernel, from which step on
  for (const Fact& fact : recording.facts) {
    if (!says_that_any_starts(fact) || told.contains({fact.kernel, fact.step})) continue;
    int& since = lost.try_emplace(fact.kernel, fact.step).first->second;
    since = std::min(since, fact.step);
  }
  std::erase_if(starts, [&](const Fact& fact) {
    const auto since = lost.find(fact.kernel);
    return since != lost.end() && fact.step >= since->second;
  });
  std::ranges::stable_sort(starts, {}, &Fact::step);
  return starts;
}

nlohmann::ordered_json trace_json(const RecordingSet& set) {
  Timeline timeline(set.device);
  for (const Recording& recording : set.recordings) timeline.show(recording);
  return std::move(timeline).json();
}

nlohmann::ordered_json trace_json(const Device& device, const Trace& simulated) {
  const Recording recording{.probe = simulated.script,
                            .facts = facts_of({simulated.placements}, simulated.script),
                            .where = {}};
  std::vector<double> at_us;
  for (const double at_ms : simulated.at_ms) at_us.push_back(1000 * at_ms);
  Timeline timeline(device);
  timeline.show(recording, at_us, at_us.empty() ? 0 : at_us.back());
  return std::move(timeline).json();
}

std::string trace_text(const Device& device, const Probe& probe, const std::vector<Fact>& facts) {
  return json_text(trace_json({probe.name, device, {{probe, facts, true, probe.name}}})) + '\n';
}

}  // namespace cuvier
