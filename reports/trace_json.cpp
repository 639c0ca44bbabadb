#include "reports/trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "probes/json_fields.h"
#include "reports/observation_text.h"

namespace cuvier {
namespace {

constexpr int step_us = 1000;
constexpr int most_lanes = 1000;  ///< of an SM: more than blocks are ever resident on one
constexpr int host = 0;           ///< the host's process; the GPCs' are from 1 on

/// One block while it is resident.
struct Resident {
  int sm = 0;
  int lane = 0;
  std::int64_t since_us = 0;
};

class Trace {
 public:
  explicit Trace(const RecordingSet& set) : device_(set.device) {
    name_process(host, "host");
    name_thread(host, 0, "probes");
    name_thread(host, 1, "actions");
    for (int sm = 0; sm < device_.sms; ++sm) {
      if (gpcs_.insert(process_of(sm)).second) name_process(process_of(sm), process_name(sm));
    }
    for (const Recording& recording : set.recordings) show(recording);
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

  void show(const Recording& recording) {
    const Probe& probe = recording.probe;
    const std::int64_t begin_us = now_us_;
    started_.assign(probe.kernels.size(), 0);
    for (std::size_t step = 0; step < probe.script.size(); ++step) {
      const Action& action = probe.script[step];
      events_.push_back({{"name", action_words(action, probe)},
                         {"ph", "i"},
                         {"s", "t"},
                         {"ts", now_us_},
                         {"pid", host},
                         {"tid", 1}});
      for (const Release& release : action.releases) let_go(release, probe);
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm && fact.step == static_cast<int>(step)) start(fact);
      }
      now_us_ += step_us;
    }
    while (!resident_.empty()) leave(resident_.begin()->first, probe);
    events_.push_back({{"name", recording.name()},
                       {"ph", "X"},
                       {"ts", begin_us},
                       {"dur", now_us_ - begin_us},
                       {"pid", host},
                       {"tid", 0}});
    now_us_ += step_us;
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
    std::vector<Block> leaving;
    for (const auto& [block, where] : resident_) {
      const bool named =
          release.blocks.empty() || std::ranges::binary_search(release.blocks, block.second);
      if (block.first == release.kernel && named) leaving.push_back(block);
    }
    for (const Block& block : leaving) leave(block, probe);
  }

  void leave(const Block& block, const Probe& probe) {
    const Resident where = resident_.at(block);
    const Kernel& kernel = probe.kernels[block.first];
    events_.push_back({{"name", fmt::format("{}[{}]", kernel.name, block.second)},
                       {"cat", kernel.name},
                       {"ph", "X"},
                       {"ts", where.since_us},
                       {"dur", now_us_ - where.since_us},
                       {"pid", process_of(where.sm)},
                       {"tid", where.sm * most_lanes + where.lane},
                       {"args", {{"sm", where.sm}, {"block", block.second}}}});
    lanes_[where.sm][where.lane] = false;
    resident_.erase(block);
  }

  const Device& device_;
  std::set<int> gpcs_;
  Json events_ = Json::array();
  std::int64_t now_us_ = 0;
  std::vector<int> started_;  ///< blocks, by kernel
  std::map<Block, Resident> resident_;
  std::map<int, std::vector<bool>> lanes_;  ///< by SM: which are taken
};

}  // namespace

nlohmann::ordered_json trace_json(const RecordingSet& set) { return Trace(set).json(); }

std::string trace_text(const Device& device, const Probe& probe, const std::vector<Fact>& facts) {
  return trace_json({probe.name, device, {{probe, facts, true, probe.name}}}).dump() + '\n';
}

}  // namespace cuvier
