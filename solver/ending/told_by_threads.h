#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "solver/ending/cut_short.h"

namespace cuvier {

/// A function that is told of progress, for several threads to tell: one at a time does, and the
/// CutShort that ends one of them ends all that tell it anything after that.
inline std::function<void(const std::string&)> told_by_threads(
    std::function<void(const std::string&)> doing) {
  struct State {
    std::mutex one_at_a_time;
    std::optional<CutShort> ended;
  };
  return [doing = std::move(doing), state = std::make_shared<State>()](const std::string& what) {
    const std::lock_guard lock(state->one_at_a_time);
    if (state->ended) throw *state->ended;
    try {
      doing(what);
    } catch (const CutShort& cut_short) {
      state->ended = cut_short;
      throw;
    }
  };
}

}  // namespace cuvier
