// How probes and sessions begin, and what of a probe outlasts it.

#include <algorithm>

#include "verify/left.h"

namespace cuvier::verify {

/// Forgets the combinations that are excluded, and begins a session where the recording does.
void Left::begin(const Recording& recording) {
  std::vector<const std::vector<Cells>*> all;
  std::vector<std::vector<int>*> nodes;
  for (World& world : worlds_) {
    all.push_back(&world.cells);
    nodes.push_back(&world.warp_nodes);
  }
  const std::array<Set, 2> kept = {in_any(all, warps), in_any(all, shared_memory)};
  auto sets = std::make_shared<Sets>();
  for (World& world : worlds_) {
    for (Cells& cells : world.cells) {
      for (int part = 0; part < parts; ++part) {
        Set set;
        for (const int each : *cells[part]) {
          set.push_back(part > shared_memory
                            ? each
                            : static_cast<int>(std::ranges::lower_bound(kept[part], each) -
                                               kept[part].begin()));
        }
        cells[part] = sets->get(std::move(set));
      }
    }
  }
  sets_ = std::move(sets);
  warps_.begin(recording.probe, kept[warps], nodes);
  shared_.begin(recording.probe, kept[shared_memory]);
  if (!recording.fresh) return;
  for (World& world : worlds_) {
    world.outlasting = {};
    world.warp_nodes.assign(device_.sms, warps_.empty());
  }
  if (recording.opening) open(*recording.opening);
}

/// Cursors stand by other rules than they return by. So hypotheses part here only where cursors
/// survive.
void Left::open(const Opening& opening) {
  std::vector<World> opened;
  const std::vector<Mechanism>& rules = rules_[0];
  std::vector<int> nodes(device_.sms, warps_.empty());
  for (const auto& [sm, kernel, last] : opening.latest) {
    if (last) nodes[sm] = warps_.after(opening.kernels[kernel], *last);
  }
  for (const World& world : worlds_) {
    for (const bool survive : {false, true}) {
      std::vector<Cells> of_rule = world.cells;
      for (Cells& cells : of_rule) {
        Set set;
        std::ranges::copy_if(*cells[waiting], std::back_inserter(set), [&](int each) {
          return rules[each].is<"cursor_reset", "never">() == survive;
        });
        cells[waiting] = sets_->get(std::move(set));
      }
      std::erase_if(of_rule, [](const Cells& cells) { return cells[waiting]->empty(); });
      if (of_rule.empty()) continue;
      std::vector<Mechanism> ways = {world.mechanism};
      while (!ways.empty()) {
        const Mechanism way = ways.back();
        ways.pop_back();
        try {
          opened.push_back({way, after(opening, survive, way, device_, learned_), nodes, of_rule});
        } catch (const Undecided& undecided) {
          for (const Value& value : space_.values(undecided.axis)) {
            ways.push_back(way);
            ways.back().decide(undecided.axis, value);
          }
        }
      }
    }
  }
  worlds_ = std::move(opened);
}

/// The probe is over, and the device idle.
void Left::end(std::vector<Running> running, const Probe& probe) {
  Action everything;
  for (int k = 0; k < static_cast<int>(probe.kernels.size()); ++k) {
    everything.releases.push_back({k, true, {}});
  }
  worlds_.clear();
  for (Running& each : running) {
    leave(each, everything);
    World world{each.scheduler.mechanism, each.scheduler.outlasting(), std::move(each.warp_nodes),
                std::move(each.cells)};
    const auto same = std::ranges::find_if(worlds_, [&](const World& other) {
      return other.mechanism == world.mechanism && other.outlasting == world.outlasting &&
             other.warp_nodes == world.warp_nodes;
    });
    if (same == worlds_.end()) {
      worlds_.push_back(std::move(world));
    } else {
      same->cells.insert(same->cells.end(), world.cells.begin(), world.cells.end());
      same->cells = joined(std::move(same->cells));
    }
  }
}

}  // namespace cuvier::verify
