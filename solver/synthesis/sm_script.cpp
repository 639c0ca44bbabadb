#include "solver/synthesis/sm_script.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuvier {
namespace {

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
