#include "solver/synthesis/sm_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cuvier {
namespace {

// Probes that are tried for one script.
constexpr int kMostTried = 250;

enum class Freed { all, first_sm, every_other_sm };
constexpr Freed kFreed[] = {Freed::all, Freed::first_sm, Freed::every_other_sm};

class Lifting {
 public:
  Lifting(const SmScript& script, const std::vector<Kernel>& kernels, Simulator& simulator,
          const TellsApart& tells_apart)
      : script_(script),
        kernels_(kernels),
        simulator_(simulator),
        device_(simulator.device()),
        tells_apart_(tells_apart) {}

  std::optional<Probe> run() {
    Probe empty{"synthesised", {}, {}};
    // First all kernels alike, then each as it may be.
    for (const int blocks : {device_.sms, 1}) {
      if (auto found = extend(empty, 0, {blocks})) return found;
    }
    return extend(empty, 0, {device_.sms, 1, (device_.sms + 1) / 2, device_.sms_per_tpc});
  }

  int tried() const { return tried_; }

 private:
  /// Goes on from move i, each kernel with one of these numbers of blocks.
  std::optional<Probe> extend(const Probe& probe, std::size_t i, const std::vector<int>& grids) {
    if (tried_ >= kMostTried) return std::nullopt;
    if (i == script_.moves.size()) return ask(probe);
    const SmScript::Move& move = script_.moves[i];
    if (!move.release) {
      for (const int blocks : grids) {
        if (auto found = extend(launching(probe, move.kernel, blocks), i + 1, grids)) return found;
      }
      return std::nullopt;
    }
    for (const Freed freed : kFreed) {
      const auto next = releasing(probe, move.kernel, freed);
      if (!next) continue;
      if (auto found = extend(*next, i + 1, grids)) return found;
    }
    return std::nullopt;
  }

  /// Launches the kernel that is asked about.
  std::optional<Probe> ask(const Probe& probe) {
    for (const int blocks : {device_.sms, 1, 2 * device_.sms + 1}) {
      Probe asking = launching(probe, script_.kernels, blocks);
      ++tried_;
      if (tells_apart_(asking)) return asking;
    }
    return std::nullopt;
  }

  Probe launching(Probe probe, int kernel, int blocks) const {
    const int index = static_cast<int>(probe.kernels.size());
    probe.kernels.push_back(kernels_[kernel]);
    probe.kernels.back().blocks = blocks;
    Action& action = probe.script.emplace_back();
    action.launch = index;
    return probe;
  }

  /// None where there is no such block, or where it is the same as all.
  std::optional<Probe> releasing(Probe probe, int kernel, Freed freed) const {
    Release release{kernel, {}};
    if (freed != Freed::all) {
      std::set<int> sms;
      const Observation seen = simulator_.preview(probe);
      for (const auto& [block, sm] : placed(seen, 0)) sms.insert(sm);
      std::set<int> chosen;
      int position = 0;
      for (const int sm : sms) {
        const bool take = freed == Freed::first_sm ? position == 0 : position % 2 == 0;
        if (take) chosen.insert(sm);
        ++position;
      }
      const auto blocks = placed(seen, kernel);
      for (const auto& [block, sm] : blocks) {
        if (chosen.contains(sm)) release.blocks.push_back(block);
      }
      if (release.blocks.empty() || release.blocks.size() == blocks.size()) return std::nullopt;
      std::ranges::sort(release.blocks);
    }
    probe.script.emplace_back().releases.push_back(std::move(release));
    return probe;
  }

  /// The blocks of the kernel, and where they went.
  static std::vector<std::pair<int, int>> placed(const Observation& seen, int kernel) {
    std::vector<std::pair<int, int>> blocks;
    for (const Step& step : seen.steps) {
      for (const Started& started : step.started) {
        if (started.kernel != kernel) continue;
        for (std::size_t i = 0; i < started.block.size(); ++i) {
          blocks.emplace_back(started.block[i], started.sm[i]);
        }
      }
    }
    return blocks;
  }

  const SmScript& script_;
  const std::vector<Kernel>& kernels_;
  Simulator& simulator_;
  const Device& device_;
  const TellsApart& tells_apart_;
  int tried_ = 0;
};

void extend(const SmScript& script, std::vector<int> resident, int more,
            std::vector<SmScript>& scripts) {
  if (more == 0) {
    scripts.push_back(script);
    return;
  }
  SmScript placed = script;
  placed.moves.push_back({placed.kernels++});
  std::vector<int> with = resident;
  with.push_back(script.kernels);
  extend(placed, std::move(with), more - 1, scripts);
  for (const int kernel : resident) {
    const auto& moves = script.moves;
    if (moves.back().release && moves.back().kernel > kernel) continue;
    SmScript released = script;
    released.moves.push_back({kernel, true});
    std::vector<int> without = resident;
    std::erase(without, kernel);
    extend(released, std::move(without), more - 1, scripts);
  }
}

}  // namespace

std::optional<Probe> lift(const SmScript& script, const std::vector<Kernel>& kernels,
                          Simulator& simulator, const TellsApart& tells_apart, int& tried) {
  Lifting lifting(script, kernels, simulator, tells_apart);
  auto found = lifting.run();
  tried += lifting.tried();
  return found;
}

std::vector<SmScript> sm_scripts(int actions) {
  std::vector<SmScript> scripts;
  extend({}, {}, actions - 1, scripts);
  return scripts;
}

std::string describe(const SmScript& script) {
  std::string text;
  for (const SmScript::Move& move : script.moves) {
    text += fmt::format("{} {}{}, ", move.release ? "release" : "place", move.kernel + 1,
                        move.on_second ? "+" : "");
  }
  return fmt::format("{}place {}", text, script.kernels + 1);
}

std::vector<SmScript> with_second_sm(const SmScript& script) {
  const std::size_t count = script.moves.size();
  std::vector<SmScript> scripts;
  for (unsigned subset = 0; subset + 1 < (1U << count); ++subset) {
    SmScript two = script;
    std::vector<bool> there(script.kernels);
    bool possible = true;
    for (std::size_t i = 0; i < count; ++i) {
      SmScript::Move& move = two.moves[i];
      move.on_second = (subset >> i) % 2 == 1;
      if (!move.release) {
        there[move.kernel] = move.on_second;
      } else {
        possible = possible && (!move.on_second || there[move.kernel]);
      }
    }
    if (possible) scripts.push_back(std::move(two));
  }
  return scripts;
}

}  // namespace cuvier
