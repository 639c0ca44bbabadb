#include "verify/left.h"

#include <algorithm>
#include <map>
#include <utility>

#include "verify/journal.h"

namespace cuvier::verify {
namespace {

/// Whether a block starts where one was seen to; it is so manieth of its kernel in the step.
bool agrees(const Known& known, std::size_t place, int sm) {
  if (known.sms && (place >= known.sms->size() || (*known.sms)[place] != sm)) return false;
  if (known.sm_set && !std::ranges::binary_search(*known.sm_set, sm)) return false;
  if (known.started && place >= static_cast<std::size_t>(*known.started)) return false;
  if (known.slots && place >= known.slots->size()) return false;
  return known.starts.value_or(true);
}

/// Whether as much started in the step as was seen, now that it is over.
bool agrees(const Scheduler& scheduler, const Known& known, int k, int before, int blocks,
            int sms) {
  const int started = scheduler.blocks_started(k) - before;
  std::vector<int> on;
  for (int sm = 0; known.sm_set && sm < sms; ++sm) {
    for (const Resident& resident : scheduler.residents(sm)) {
      if (resident.kernel == k && resident.block >= before) on.push_back(sm);
    }
  }
  return (!known.sms || static_cast<int>(known.sms->size()) == started) &&
         (!known.slots || static_cast<int>(known.slots->size()) == started) &&
         known.started.value_or(started) == started &&
         known.starts.value_or(started > 0) == (started > 0) &&
         known.complete.value_or(started == blocks) == (started == blocks) &&
         known.sm_set.value_or(on) == on;
}

}  // namespace

Left::Left(const Device& device, Space space, std::vector<int> learned, std::function<void()> still)
    : space_(std::move(space)),
      still_(std::move(still)),
      topology_(std::make_shared<const Topology>(device, std::move(learned))),
      tables_(std::make_shared<Tables>(device, combinations_of(space_), std::vector<Kernel>())) {
  if (space_.nothing()) return;
  const auto& combinations = tables_->combinations;
  drifts_ = std::ranges::any_of(combinations[Part::batches], has_drift);
  Run run{Scheduler(*topology_, {}, {}), {std::vector(device.sms, tables_->warps.empty()), {}}, {}};
  // Register granularity is an axis of two parts, so all cells have one value of it.
  constexpr int granularity = find_axis("register_granularity");
  for (const Value* value : space_.values(granularity)) {
    Cells& cells = run.cells.emplace_back();
    for (int part = 0; part < parts; ++part) {
      Set set = numbers_below(combinations[part].size());
      std::erase_if(set, [&](int each) {
        const Value* of = combinations[part][each][granularity];
        return of && of != value;
      });
      cells[part] = tables_->sets.get(std::move(set));
    }
  }
  runs_.push_back(std::move(run));
}

void Left::explain(const Recording& recording, std::vector<Step>* shown) {
  if (nothing()) return;
  begin(recording);
  keep_configs(recording);
  for (int step = 0; step < static_cast<int>(recording.probe.script.size()); ++step) {
    if (shown) shown->emplace_back(recording.probe.kernels.size());
    act(recording, step, shown);
  }
  Action everything;
  for (int k = 0; k < static_cast<int>(recording.probe.kernels.size()); ++k) {
    everything.releases.push_back({k, true, {}});
  }
  for (Run& run : runs_) {
    leave(run, everything);
    run.scheduler = Scheduler(*topology_, {}, run.scheduler.outlasting());
    run.started_before.clear();
  }
  runs_ = alike_once(std::move(runs_));
}

/// Forgets the combinations that are excluded, and begins a session where the recording does.
void Left::begin(const Recording& recording) {
  const std::shared_ptr<Tables> before = tables_;
  std::array<Set, parts> kept;
  Combinations combinations;
  for (int part = 0; part < parts; ++part) {
    kept[part] = in_any(static_cast<Part>(part));
    for (const int each : kept[part]) {
      combinations[part].push_back(before->combinations[part][each]);
    }
  }
  std::vector<Kernel> kernels = recording.probe.kernels;
  if (recording.opening) {
    kernels.insert(kernels.end(), recording.opening->kernels.begin(),
                   recording.opening->kernels.end());
  }
  tables_ =
      std::make_shared<Tables>(topology_->device, std::move(combinations), std::move(kernels));
  const auto renumbered = [&](const Set* set, int part) {
    Set now;
    for (const int each : *set) {
      now.push_back(
          static_cast<int>(std::ranges::lower_bound(kept[part], each) - kept[part].begin()));
    }
    return tables_->sets.get(std::move(now));
  };
  const auto idle = tables_->shared.empty();
  for (Run& run : runs_) {
    for (Cells& cells : run.cells) {
      for (int part = 0; part < parts; ++part) cells[part] = renumbered(cells[part], part);
    }
    for (auto& node : run.sms.warps) {
      node = recording.fresh ? tables_->warps.empty()
                             : tables_->warps.taken_over(node, kept[Part::warps]);
    }
    run.sms.shared.assign(topology_->device.sms, idle);
    run.scheduler = Scheduler(*topology_, recording.probe,
                              recording.fresh ? Outlasting() : run.scheduler.outlasting());
  }
  if (recording.fresh) runs_ = alike_once(std::move(runs_));
  if (recording.fresh && recording.opening) open(recording);
}

/// Cursors stand by other rules than they return by. So hypotheses part here only where cursors
/// survive.
void Left::open(const Recording& recording) {
  const Opening& opening = *recording.opening;
  std::vector<Run> opened;
  for (Run& run : runs_) {
    for (const auto& [sm, kernel, last] : opening.latest) {
      if (!last) continue;
      const int behind = static_cast<int>(recording.probe.kernels.size());
      run.sms.warps[sm] = tables_->warps.after(behind + kernel, *last);
    }
    follow(run, recording, [&](Way& way) {
      const Outlasting outlasting = after(opening, *topology_, way);
      opened.push_back(
          {Scheduler(*topology_, recording.probe, outlasting), run.sms, {way.cells()}});
    });
  }
  runs_ = alike_once(std::move(opened));
}

/// Those under which kernels prefer the configurations of shared memory that were seen.
void Left::keep_configs(const Recording& recording) {
  for (const auto& step : recording.known) {
    for (int k = 0; k < static_cast<int>(step.size()); ++k) {
      if (!step[k].config) continue;
      for (Run& run : runs_) {
        keep_those(run, Part::shared_memory, [&](int each) {
          return tables_->shared.rules(each).preferred(k) == *step[k].config;
        });
      }
    }
  }
  std::erase_if(runs_, [](const Run& run) { return run.cells.empty(); });
}

void Left::act(const Recording& recording, int step, std::vector<Step>* shown) {
  const Action& action = recording.probe.script[step];
  tables_->warps.look_at(in_any(Part::warps));
  tables_->shared.look_at(in_any(Part::shared_memory));
  const int kernels = static_cast<int>(recording.probe.kernels.size());
  std::vector<Run> on = std::move(runs_);
  for (Run& run : on) {
    if (action.launch >= 0) {
      run.scheduler.launch(action.launch);
    } else {
      leave(run, action);
    }
    run.started_before.clear();
    for (int k = 0; k < kernels; ++k) {
      run.started_before.push_back(run.scheduler.blocks_started(k));
    }
  }
  std::vector<Run> done;
  while (!on.empty()) {
    std::vector<Run> next;
    for (const Run& from : on) advance(from, recording, step, next, done, shown);
    on = alike_once(std::move(next));
  }
  std::erase_if(done, [&](const Run& run) {
    for (int k = 0; k < kernels; ++k) {
      if (!agrees(run.scheduler, recording.known[step][k], k, run.started_before[k],
                  recording.probe.kernels[k].blocks, topology_->device.sms)) {
        return true;
      }
    }
    return false;
  });
  runs_ = alike_once(std::move(done));
}

void Left::leave(Run& run, const Action& action) {
  const auto leaving = run.scheduler.release(action);
  for (int sm = 0; sm < topology_->device.sms; ++sm) {
    if (leaving[sm].empty()) continue;
    run.sms.warps[sm] = tables_->warps.leave(run.sms.warps[sm], leaving[sm]);
    run.sms.shared[sm] = tables_->shared.leave(run.sms.shared[sm], leaving[sm]);
  }
  if (!run.scheduler.device_is_idle()) return;
  for (auto& node : run.sms.warps) node = tables_->warps.device_idle(node);
}

/// Goes all ways of a run: where its hypotheses part, with each part of them.
void Left::follow(const Run& from, const Recording& recording,
                  const std::function<void(Way&)>& go) {
  struct Begun {
    Cells cells;
    std::vector<bool> happened;  ///< of what may
  };
  std::vector<Begun> ways;
  for (const Cells& cells : from.cells) ways.push_back({cells, {}});
  while (!ways.empty()) {
    const Begun begun = std::move(ways.back());
    ways.pop_back();
    if (++*ways_ > most_ways) throw TooManyWays();
    Way way(*tables_, from.sms, recording, begun.cells, begun.happened);
    try {
      go(way);
    } catch (const Split& split) {
      for (const Set* set : split.sets) {
        ways.push_back(begun);
        ways.back().cells[split.part] = set;
      }
    } catch (const Either&) {
      for (const bool happens : {false, true}) {
        ways.push_back(begun);
        ways.back().happened.push_back(happens);
      }
    }
  }
}

/// One dispatch: `on` gets each way that agrees with what is known, `stuck` those that end here.
void Left::advance(const Run& from, const Recording& recording, int step, std::vector<Run>& on,
                   std::vector<Run>& stuck, std::vector<Step>* shown) {
  struct Outcome {
    Scheduler scheduler;
    Placed placed;
    std::vector<Start> starts;
    std::vector<Cells> cells;
  };
  if (still_) still_();
  std::vector<Outcome> outcomes;
  bool contradicts = false;  // some of them
  follow(from, recording, [&](Way& way) {
    Outcome outcome{from.scheduler, {}, {}, {way.cells()}};
    outcome.placed = outcome.scheduler.advance(way, outcome.starts);
    const auto as_seen = [&](const Start& start) {
      return agrees(recording.known[step][start.kernel],
                    start.block - from.started_before[start.kernel], start.sm);
    };
    if (!std::ranges::all_of(outcome.starts, as_seen) ||
        (drifts_ && !std::ranges::all_of(outcome.scheduler.coming_starts(), as_seen))) {
      contradicts = true;
      return;
    }
    const auto same = std::ranges::find(outcomes, outcome.scheduler, &Outcome::scheduler);
    if (same == outcomes.end()) {
      outcomes.push_back(std::move(outcome));
    } else {
      same->cells.push_back(way.cells());
    }
  });
  const bool all_alike = !contradicts && outcomes.size() == 1;
  for (Outcome& outcome : outcomes) {
    Run run{std::move(outcome.scheduler), from.sms,
            all_alike ? from.cells : joined(std::move(outcome.cells)), from.started_before};
    for (const int sm : outcome.placed.sms) {
      const int k = outcome.placed.kernel;
      run.sms.warps[sm] = tables_->warps.place(run.sms.warps[sm], k, {});
      run.sms.shared[sm] =
          tables_->shared.place(run.sms.shared[sm], k, run.scheduler.configured_by(sm));
    }
    for (const Start& start : outcome.starts) {
      keep_routes(run, recording.known[step][start.kernel], start);
      if (!shown) continue;
      const WarpFile& file = *(*run.sms.warps[start.sm])[run.cells.front()[Part::warps]->front()];
      shown->back()[start.kernel].push_back(
          {start.block, start.sm, file.held[start.place].subpartitions});
    }
    if (run.cells.empty()) continue;
    (outcome.placed.kernel < 0 ? stuck : on).push_back(std::move(run));
  }
}

/// Those under which the warps of a block that starts go where they were seen to.
void Left::keep_routes(Run& run, const Known& known, const Start& start) {
  if (!known.slots) return;
  const std::size_t place = start.block - run.started_before[start.kernel];
  const std::vector<int> seen = subpartitions_of((*known.slots)[place]);
  keep_those(run, Part::warps, [&](int each) {
    return (*run.sms.warps[start.sm])[each]->held[start.place].subpartitions == seen;
  });
}

void Left::keep_those(Run& run, Part part, const std::function<bool(int)>& that) {
  for (Cells& cells : run.cells) {
    Set set;
    std::ranges::copy_if(*cells[part], std::back_inserter(set), that);
    cells[part] = tables_->sets.get(std::move(set));
  }
  std::erase_if(run.cells, [&](const Cells& cells) { return cells[part]->empty(); });
}

/// Those that will go on alike are one from now on.
std::vector<Left::Run> Left::alike_once(std::vector<Run> all) {
  std::vector<Run> once;
  for (Run& each : all) {
    const auto same = std::ranges::find_if(once, [&](const Run& other) {
      return other.scheduler == each.scheduler && other.sms == each.sms;
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
      const Set*& joined = by_others[cells];
      Set either;
      if (joined) std::ranges::set_union(*joined, *set, std::back_inserter(either));
      joined = joined ? tables_->sets.get(std::move(either)) : set;
    }
    all.clear();
    for (const auto& [others, set] : by_others) {
      all.push_back(others);
      all.back()[part] = set;
    }
  }
  return all;
}

/// Combinations of a part that some hypothesis has.
Set Left::in_any(Part part) const {
  std::vector<bool> has(tables_->combinations[part].size());
  for (const Run& run : runs_) {
    for (const Cells& cells : run.cells) {
      for (const int each : *cells[part]) has[each] = true;
    }
  }
  Set set = numbers_below(has.size());
  std::erase_if(set, [&](int each) { return !has[each]; });
  return set;
}

std::vector<Box> Left::boxes() const {
  std::vector<Box> boxes;
  for (const Run& run : runs_) {
    for (const Cells& cells : run.cells) boxes.push_back({&tables_->combinations, cells});
  }
  return boxes;
}

}  // namespace cuvier::verify
