#include "verify/left.h"

namespace cuvier::verify {
namespace {

/// Whether the block started where one was seen to.
bool agrees(const Known& known, const Start& start) {
  const auto has = [&](const auto& list) { return start.place < std::ssize(list); };
  // It is one of so many that start there in the step.
  if (start.place < 0 && known.sms && std::ranges::count(*known.sms, start.sm) < start.place_on_sm)
    return false;
  if (start.place < 0) return known.starts.value_or(true);
  if (known.sms && (!has(*known.sms) || (*known.sms)[start.place] != start.sm)) return false;
  if (known.sm_set && !std::ranges::binary_search(*known.sm_set, start.sm)) return false;
  if (known.started && start.place >= *known.started) return false;
  if (known.slots && !has(*known.slots)) return false;
  return known.starts.value_or(true);
}

/// Whether as much of the kernel started in the step as was seen, now that it is over.
bool agrees(const Known& known, const Scheduler& scheduler, int k, int blocks) {
  const int before = scheduler.started_before(k);
  const int started = scheduler.started(k) - before;
  std::vector<int> on;
  for (const Resident& each : scheduler.residents()) {
    if (each.kernel == k && each.block >= before) on.push_back(each.sm);
  }
  return (!known.sms || std::ssize(*known.sms) == started) &&
         (!known.slots || std::ssize(*known.slots) == started) &&
         known.started.value_or(started) == started &&
         known.starts.value_or(started > 0) == (started > 0) &&
         known.complete.value_or(started == blocks) == (started == blocks) &&
         known.sm_set.value_or(on) == on;
}

}  // namespace

Left::Left(const Device& device, Space space, const std::vector<int>& learned,
           std::function<void()> still)
    : space_(std::move(space)),
      still_(std::move(still)),
      topology_(std::make_shared<const Topology>(device, space_, learned)),
      tables_(std::make_shared<Tables>(device, combinations_of(space_), std::vector<Kernel>())) {
  if (space_.nothing()) return;
  const auto& combinations = tables_->combinations;
  looks_ahead_ = std::ranges::any_of(combinations[Part::batches], [](const Mechanism& mechanism) {
    return has_drift(mechanism) || mechanism.is("numbering=by_gpc");
  });
  static const Recording nothing_yet;
  Run run{Scheduler(*topology_, nothing_yet, {}), {}};
  // Register granularity is an axis of two parts, so all cells have one value of it.
  constexpr Axis granularity = "register_granularity";
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
  for (int step = 0; step < std::ssize(recording.probe.script); ++step) {
    if (shown) shown->emplace_back(recording.probe.kernels.size());
    act(recording, step, shown);
  }
  Action everything;
  for (int k = 0; k < std::ssize(recording.probe.kernels); ++k) {
    everything.releases.push_back({k, true, {}});
  }
  for (Run& run : runs_) {
    run.scheduler.act(everything, *tables_);
    run.scheduler = Scheduler(*topology_, recording, run.scheduler.outlasting());
  }
  runs_ = alike_once(std::move(runs_));
}

std::vector<Step> Left::run(const Probe& probe, std::shared_ptr<const Opening> opening) {
  Recording of_nothing;
  of_nothing.probe = probe;
  of_nothing.known.resize(probe.script.size(), std::vector<Known>(probe.kernels.size()));
  of_nothing.fresh = opening != nullptr;
  of_nothing.opening = std::move(opening);
  std::vector<Step> shown;
  explain(of_nothing, &shown);
  return shown;
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
  for (Run& run : runs_) {
    for (Cells& cells : run.cells) {
      for (int part = 0; part < parts; ++part) cells[part] = renumbered(cells[part], part);
    }
    Outlasting outlasting;
    if (!recording.fresh) outlasting = run.scheduler.outlasting();
    outlasting.sms.resize(topology_->device.sms);
    outlasting.domains.resize(topology_->tpcs.count() + topology_->device.sms + 1);
    for (Sm& sm : outlasting.sms) {
      sm = {tables_->warps.taken_over(sm.file, kept[Part::warps]), tables_->shared.empty()};
    }
    for (auto& [idle, emptied, config] : outlasting.domains) {
      config = tables_->configs.taken_over(config, kept[Part::shared_memory]);
    }
    run.scheduler = Scheduler(*topology_, recording, std::move(outlasting));
  }
  if (recording.fresh) runs_ = alike_once(std::move(runs_));
  if (recording.fresh && recording.opening) open(recording);
}

/// Cursors stand by other rules than they return by. So hypotheses part here only where cursors
/// survive.
void Left::open(const Recording& recording) {
  std::vector<Run> opened;
  for (const Run& run : runs_) {
    follow(run.cells, [&](Way& way) {
      Run next{run.scheduler, {way.cells()}};
      next.scheduler.open(way, *recording.opening);
      opened.push_back(std::move(next));
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
          return tables_->shared.rules(each).target(k) == *step[k].config;
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
  std::vector<Run> on = std::move(runs_);
  for (Run& run : on) run.scheduler.act(action, *tables_);
  std::vector<Run> done;
  while (!on.empty()) {
    std::vector<Run> next;
    for (const Run& from : on) advance(from, recording, step, next, done, shown);
    on = alike_once(std::move(next));
  }
  const std::vector<Kernel>& kernels = recording.probe.kernels;
  std::erase_if(done, [&](const Run& run) {
    return !std::ranges::all_of(numbers_below(kernels.size()), [&](int k) {
      return agrees(recording.known[step][k], run.scheduler, k, kernels[k].blocks);
    });
  });
  runs_ = alike_once(std::move(done));
}

/// Goes all ways: where hypotheses part, with each part of them.
void Left::follow(const std::vector<Cells>& cells, const std::function<void(Way&)>& go) {
  std::vector<Begun> ways;
  for (const Cells& each : cells) ways.push_back({each});
  while (!ways.empty()) {
    const Begun begun = std::move(ways.back());
    ways.pop_back();
    if (++ways_ > most_) throw TooManyWays();
    Way way(*tables_, begun);
    try {
      go(way);
    } catch (const Parted& parted) {
      std::ranges::copy(parted.ways, std::back_inserter(ways));
    }
  }
}

/// One pick: `on` gets each way that agrees with what is known, `stuck` those that end here.
void Left::advance(const Run& from, const Recording& recording, int step, std::vector<Run>& on,
                   std::vector<Run>& stuck, std::vector<Step>* shown) {
  struct Outcome {
    Run run;
    bool is_stuck;
    std::vector<Start> starts;
  };
  if (still_) still_();
  const auto as_seen = [&](const Start& start) {
    return agrees(recording.known[step][start.kernel], start);
  };
  std::vector<Outcome> outcomes;
  bool contradicts = false;  // some of them
  follow(from.cells, [&](Way& way) {
    Outcome outcome{{from.scheduler, {way.cells()}}, false, {}};
    Scheduler& scheduler = outcome.run.scheduler;
    outcome.is_stuck = !scheduler.advance(way, outcome.starts);
    if (!std::ranges::all_of(outcome.starts, as_seen) ||
        (looks_ahead_ && !std::ranges::all_of(scheduler.coming_starts(), as_seen))) {
      contradicts = true;
      return;
    }
    const auto same = std::ranges::find_if(
        outcomes, [&](const Outcome& other) { return other.run.scheduler == scheduler; });
    if (same == outcomes.end()) {
      outcomes.push_back(std::move(outcome));
    } else {
      same->run.cells.push_back(way.cells());
    }
  });
  const bool all_alike = !contradicts && outcomes.size() == 1;
  for (auto& [run, is_stuck, starts] : outcomes) {
    run.cells = all_alike ? from.cells : joined(std::move(run.cells));
    for (const Start& start : starts) {
      keep_routes(run, recording.known[step][start.kernel], start);
    }
    if (run.cells.empty()) continue;
    for (const Start& start : starts) {
      if (!shown) break;
      const int alone = run.cells.front()[Part::warps]->front();
      shown->back()[start.kernel].push_back(
          {start.block, start.sm, held_by(run, start, alone).subpartitions});
    }
    (is_stuck ? stuck : on).push_back(std::move(run));
  }
}

/// Those under which the warps of a block that starts go where they were seen to.
void Left::keep_routes(Run& run, const Known& known, const Start& start) {
  if (!known.slots) return;
  std::vector<int> seen = (*known.slots)[start.place];
  for (int& slot : seen) slot %= 4;
  keep_those(run, Part::warps,
             [&](int each) { return held_by(run, start, each).subpartitions == seen; });
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
    const auto same = std::ranges::find(once, each.scheduler, &Run::scheduler);
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
      joined = joined ? tables_->sets.either(joined, set) : set;
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

Count Left::hypotheses() const {
  Count all = 0;
  for (const Run& run : runs_) {
    for (const Cells& cells : run.cells) {
      Count product = 1;
      for (const Set* set : cells) product *= set->size();
      all += product;
    }
  }
  return all;
}

std::vector<Box> Left::boxes() const {
  std::vector<Box> boxes;
  for (const Run& run : runs_) {
    for (const Cells& cells : run.cells) boxes.push_back({tables_, cells});
  }
  return boxes;
}

}  // namespace cuvier::verify
