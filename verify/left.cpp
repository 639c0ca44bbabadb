#include "verify/left.h"

#include <algorithm>
#include <map>

namespace cuvier::verify {

/// Thrown where combinations answer a question differently: the run is tried with each part.
struct Left::Split {
  Part part;
  std::vector<const Set*> cells;
};

/// Thrown where something may happen or not: both are tried.
struct Left::Either {};

namespace {

/// Whether it shows which of the kernel's blocks is where. Where it does not, picks may as well
/// join as soon as they can: the places are the same, and most is possible later.
bool are_told_apart(const Recording& recording, int k) {
  const auto are_told = [&](const auto& step) { return step[k].sms || step[k].slots; };
  const auto names_some = [&](const Action& action) {
    return std::ranges::any_of(action.releases,
                               [&](const auto& each) { return each.kernel == k && !each.all; });
  };
  return std::ranges::any_of(recording.known, are_told) ||
         std::ranges::any_of(recording.probe.script, names_some);
}

}  // namespace

/// What SMs answer under all combinations of a pair, if it is one answer.
class Left::Alike : public Questions {
 public:
  Alike(Left& left, const Running& running, const Scheduler& scheduler, const Cells& cells,
        const Recording& recording, const std::vector<bool>& happened)
      : left_(left),
        running_(running),
        scheduler_(scheduler),
        cells_(cells),
        recording_(recording),
        happened_(happened) {}

  bool fits(int sm, int k) override {
    using Of = WarpPart::Question;
    if (!one(left_.warps_.answers(running_.warp_nodes[sm], k, Of::fits), warps, 1)) return false;
    return one(
        left_.shared_.answers(running_.shared_nodes[sm], k, by(sm), SharedPart::Question::fits),
        shared_memory, 1);
  }
  int room(int sm, int k, int most) override {
    return least(
        left_.warps_.answers(running_.warp_nodes[sm], k, WarpPart::Question::room),
        left_.shared_.answers(running_.shared_nodes[sm], k, by(sm), SharedPart::Question::room),
        most);
  }
  int several(int sm, int k, int most) override {
    return least(left_.warps_.several(running_.warp_nodes[sm], k, most),
                 left_.shared_.several(running_.shared_nodes[sm], k, by(sm), most), most);
  }
  Usage usage(int sm, int k) override {
    constexpr int any = 1 << 30;
    return {one(left_.warps_.answers(running_.warp_nodes[sm], k, WarpPart::Question::registers),
                warps, any),
            one(left_.shared_.answers(running_.shared_nodes[sm], k, by(sm),
                                      SharedPart::Question::bytes),
                shared_memory, any)};
  }
  int says(Rule rule, const std::function<int(const Mechanism&)>& read) override {
    const Part part = rule == Rule::waiting ? waiting : batches;
    const std::vector<Mechanism>& combinations = left_.rules_[part - waiting];
    std::map<int, Set> by_answer;
    for (const int each : *cells_[part]) by_answer[read(combinations[each])].push_back(each);
    if (by_answer.size() == 1) return by_answer.begin()->first;
    Split split{part, {}};
    for (auto& [answer, set] : by_answer) split.cells.push_back(left_.sets_->get(std::move(set)));
    throw split;
  }
  bool joins(int k) override { return !are_told_apart(recording_, k) || counts_late(); }
  bool counts_late() override {
    if (asked_ == happened_.size()) throw Either();
    return happened_[asked_++];
  }

 private:
  SharedPart::ConfiguredBy by(int sm) const { return left_.configured_by(scheduler_, sm); }

  /// The answer, up to `cap`.
  int one(Answers& answers, Part part, int cap) {
    const Answers::Range range = answers.range(cells_[part]);
    if (std::min(range.least, cap) == std::min(range.most, cap)) return std::min(range.least, cap);
    throw Split{part, answers.split(cells_[part], cap, *left_.sets_)};
  }
  /// The smaller of both answers, up to `cap`: where one of them is the smaller whatever the other
  /// is, that is not asked.
  int least(Answers& of_warps, Answers& of_shared, int cap) {
    const int at_most = std::min(
        {cap, of_warps.range(cells_[warps]).most, of_shared.range(cells_[shared_memory]).most});
    const int answer = one(of_warps, warps, at_most);
    return std::min(answer, one(of_shared, shared_memory, std::min(at_most, answer)));
  }

  Left& left_;
  const Running& running_;
  const Scheduler& scheduler_;
  const Cells cells_;
  const Recording& recording_;
  const std::vector<bool>& happened_;
  std::size_t asked_ = 0;
};

Left::Left(const Device& device, const Space& space, std::vector<int> learned,
           std::function<void()> still)
    : device_(device),
      space_(space),
      learned_(std::move(learned)),
      drifts_(space.has_drift()),
      still_(std::move(still)),
      warps_(device, space),
      shared_(device, space),
      rules_{combinations_of(space, axes_of(Rule::waiting)),
             combinations_of(space, axes_of(Rule::batches))} {
  // Register granularity is an axis of two parts, so all cells have one value of it.
  constexpr int granularity = axis_of<"register_granularity">();
  World world{space.undecided(), {}, std::vector<int>(device.sms, warps_.empty()), {}};
  for (const Value& value : space.values(granularity)) {
    Cells cells;
    for (const Part part : {warps, shared_memory, waiting, batches}) {
      Set set;
      for (int each = 0; each < size(part); ++each) {
        const Mechanism* of = deciding(granularity, part, each);
        if (!of || (*of)[granularity] == value) set.push_back(each);
      }
      cells[part] = sets_->get(std::move(set));
    }
    world.cells.push_back(cells);
  }
  if (!space.nothing()) worlds_.push_back(world);
}

SharedPart::ConfiguredBy Left::configured_by(const Scheduler& scheduler, int sm) const {
  return {scheduler.configured_by(sm, 0), scheduler.configured_by(sm, 1),
          scheduler.configured_by(sm, 2), 0};
}

void Left::explain(const Recording& recording) {
  begin(recording);
  const Probe& probe = recording.probe;
  for (std::size_t k = 0; k < probe.kernels.size(); ++k) {
    if (!recording.configs[k]) continue;
    const auto launches = [&](const Action& action) {
      return action.launch == static_cast<int>(k);
    };
    if (std::ranges::none_of(probe.script, launches)) continue;
    for (World& world : worlds_) {
      for (Cells& cells : world.cells) {
        cells[shared_memory] = sets_->get(
            shared_.that_prefer(*cells[shared_memory], static_cast<int>(k), *recording.configs[k]));
      }
      std::erase_if(world.cells, [](const Cells& cells) { return cells[shared_memory]->empty(); });
    }
  }
  std::erase_if(worlds_, [](const World& world) { return world.cells.empty(); });
  std::vector<Running> running;
  for (const World& world : worlds_) {
    running.push_back({Scheduler(device_, probe, world.mechanism, world.outlasting, learned_),
                       world.warp_nodes, std::vector<int>(device_.sms, shared_.empty()),
                       world.cells});
  }
  for (int step = 0; step < static_cast<int>(probe.script.size()); ++step) {
    running = act(std::move(running), recording, step);
  }
  end(std::move(running), probe);
}

std::vector<Left::Running> Left::act(std::vector<Running> before, const Recording& recording,
                                     int step) {
  const Action& action = recording.probe.script[step];
  std::vector<const std::vector<Cells>*> all;
  for (const Running& each : before) all.push_back(&each.cells);
  warps_.look_at(in_any(all, warps));
  shared_.look_at(in_any(all, shared_memory));
  std::vector<Running> done;
  while (!before.empty()) {
    std::vector<Running> on = {std::move(before.back())};
    before.pop_back();
    Running& first = on.front();
    if (action.launch >= 0) {
      first.scheduler.launch(action.launch);
    } else {
      leave(first, action);
    }
    first.started_before.clear();
    for (int k = 0; k < static_cast<int>(recording.probe.kernels.size()); ++k) {
      first.started_before.push_back(first.scheduler.blocks_started(k));
    }
    // Moments of drift come to the same sooner or later: so one dispatch of all comes before the
    // next. Without drift nothing does, and what is looked at last is less to keep.
    std::vector<Running> next;
    while (!on.empty()) {
      const Running from = std::move(on.back());
      on.pop_back();
      advance(from, recording, step, drifts_ ? next : on, done);
      if (on.empty()) on = alike_once(std::exchange(next, {}));
    }
  }
  std::erase_if(done, [&](const Running& each) { return !agrees(each, recording, step); });
  return drifts_ ? alike_once(std::move(done)) : done;
}

void Left::leave(Running& running, const Action& action) {
  const auto leaving = running.scheduler.release(action);
  for (int sm = 0; sm < device_.sms; ++sm) {
    if (leaving[sm].empty()) continue;
    running.warp_nodes[sm] = warps_.leave(running.warp_nodes[sm], leaving[sm]);
    running.shared_nodes[sm] = shared_.leave(running.shared_nodes[sm], leaving[sm]);
  }
  if (!running.scheduler.device_is_idle()) return;
  for (int& node : running.warp_nodes) node = warps_.device_idle(node);
}

/// One dispatch: `on` gets each way that agrees with what is known, `stuck` those that end here.
void Left::advance(const Running& from, const Recording& recording, int step,
                   std::vector<Running>& on, std::vector<Running>& stuck) {
  struct Way {
    Mechanism mechanism;
    Cells cells;
    std::vector<bool> happened = {};  ///< of what may
  };
  std::vector<Way> ways;
  for (const Cells& cells : from.cells) ways.push_back({from.scheduler.mechanism, cells});
  struct Outcome {
    Running running;
    Placed placed;
    std::vector<Start> starts;
  };
  std::vector<Outcome> outcomes;
  if (still_) still_();
  bool all_alike = true;  // so far, whatever the combination
  while (!ways.empty()) {
    const Way way = ways.back();
    ways.pop_back();
    if (++*ways_ > most_ways) throw TooManyWays();
    Scheduler scheduler = from.scheduler;
    scheduler.mechanism = way.mechanism;
    Alike asked(*this, from, scheduler, way.cells, recording, way.happened);
    Placed placed;
    std::vector<Start> starts;
    try {
      placed = scheduler.advance(asked, starts);
    } catch (const Undecided& undecided) {
      for (const Value& value : space_.values(undecided.axis)) {
        ways.push_back(way);
        ways.back().mechanism.decide(undecided.axis, value);
      }
      all_alike = false;
      continue;
    } catch (const Split& split) {
      for (const Set* set : split.cells) {
        ways.push_back(way);
        ways.back().cells[split.part] = set;
      }
      continue;
    } catch (const Either&) {
      for (const bool happens : {false, true}) {
        ways.push_back(way);
        ways.back().happened.push_back(happens);
      }
      continue;
    }
    const auto as_seen = [&](const Start& start) {
      return agrees(from, recording.known[step][start.kernel], start);
    };
    if (!std::ranges::all_of(starts, as_seen) ||
        (drifts_ && !std::ranges::all_of(scheduler.coming_starts(), as_seen))) {
      all_alike = false;
      continue;
    }
    const auto same = std::ranges::find_if(outcomes, [&](const Outcome& outcome) {
      return outcome.running.scheduler.same_state(scheduler);
    });
    if (same != outcomes.end()) {
      same->running.cells.push_back(way.cells);
    } else {
      outcomes.push_back({{std::move(scheduler),
                           from.warp_nodes,
                           from.shared_nodes,
                           {way.cells},
                           from.started_before},
                          placed,
                          starts});
    }
  }
  all_alike = all_alike && outcomes.size() == 1;
  if (all_alike) outcomes.front().running.cells = from.cells;
  for (auto& [running, placed, starts] : outcomes) {
    for (const int sm : placed.sms) {
      running.warp_nodes[sm] = warps_.place(running.warp_nodes[sm], placed.kernel);
      running.shared_nodes[sm] = shared_.place(running.shared_nodes[sm], placed.kernel,
                                               configured_by(running.scheduler, sm));
    }
    for (const Start& start : starts)
      keep_routes(running, recording.known[step][start.kernel], start);
    if (running.cells.empty()) continue;
    if (!all_alike) running.cells = joined(std::move(running.cells));
    (placed.kernel < 0 ? stuck : on).push_back(std::move(running));
  }
}

/// Whether a block starts where one was seen to.
bool Left::agrees(const Running& running, const Known& known, const Start& start) {
  const std::size_t place = start.block - running.started_before[start.kernel];
  if (known.sms && (place >= known.sms->size() || (*known.sms)[place] != start.sm)) return false;
  if (known.sm_set && !std::ranges::binary_search(*known.sm_set, start.sm)) return false;
  if (known.started && place >= static_cast<std::size_t>(*known.started)) return false;
  return known.starts.value_or(true);
}

/// Whether as much started in the step, now that it is over.
bool Left::agrees(const Running& running, const Recording& recording, int step) {
  for (std::size_t k = 0; k < recording.probe.kernels.size(); ++k) {
    const Known& known = recording.known[step][k];
    const int started =
        running.scheduler.blocks_started(static_cast<int>(k)) - running.started_before[k];
    const bool all = started == recording.probe.kernels[k].blocks;
    if (known.sms && static_cast<int>(known.sms->size()) != started) return false;
    if (known.started && *known.started != started) return false;
    if (known.starts && *known.starts != (started > 0)) return false;
    if (known.complete && *known.complete != all) return false;
    if (known.slots && static_cast<int>(known.slots->size()) != started) return false;
    if (known.sm_set) {
      std::vector<int> on;
      for (int sm = 0; sm < static_cast<int>(running.warp_nodes.size()); ++sm) {
        for (const Resident& resident : running.scheduler.residents(sm)) {
          if (resident.kernel == static_cast<int>(k) &&
              resident.block >= running.started_before[k]) {
            on.push_back(sm);
          }
        }
      }
      if (on != *known.sm_set) return false;
    }
  }
  return true;
}

/// Those under which the warps of a block that starts go where they were seen to.
void Left::keep_routes(Running& running, const Known& known, const Start& start) {
  if (!known.slots) return;
  const std::size_t place = start.block - running.started_before[start.kernel];
  if (place >= known.slots->size()) {
    running.cells.clear();
    return;
  }
  for (Cells& cells : running.cells) {
    cells[warps] =
        sets_->get(warps_.with_routes(*cells[warps], running.warp_nodes[start.sm], start.place,
                                      subpartitions_of((*known.slots)[place])));
  }
  std::erase_if(running.cells, [](const Cells& cells) { return cells[warps]->empty(); });
}

/// Those that will go on alike are one from now on.
std::vector<Left::Running> Left::alike_once(std::vector<Running> all) {
  std::vector<Running> once;
  for (Running& each : all) {
    const auto same = std::ranges::find_if(once, [&](const Running& other) {
      return other.scheduler.same_state(each.scheduler) && other.warp_nodes == each.warp_nodes &&
             other.shared_nodes == each.shared_nodes;
    });
    if (same == once.end()) {
      once.push_back(std::move(each));
    } else {
      same->cells.insert(same->cells.end(), each.cells.begin(), each.cells.end());
      same->cells = joined(std::move(same->cells));
    }
  }
  return once;
}

/// The same in fewer, perhaps: those that differ in one part are one.
std::vector<Cells> Left::joined(std::vector<Cells> all) {
  for (int part = 0; part < parts && all.size() > 1; ++part) {
    std::map<Cells, const Set*> by_others;
    for (Cells cells : all) {
      const Set* set = std::exchange(cells[part], nullptr);
      const auto [at, is_new] = by_others.emplace(cells, set);
      if (!is_new) at->second = sets_->either(at->second, set);
    }
    all.clear();
    for (const auto& [others, set] : by_others) {
      all.push_back(others);
      all.back()[part] = set;
    }
  }
  return all;
}

}  // namespace cuvier::verify
