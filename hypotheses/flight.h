#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace cuvier {

/// A kernel's picks that have blocks to give out yet. A pick takes its places on an SM at once;
/// which of the kernel's blocks come there shows as the picks in flight give out one each, in turn.
template <class Warps>
class Flight {
 public:
  /// Room for one block.
  struct Place {
    int nth;      ///< of the kernel, as they were taken
    Warps warps;  ///< what the SM's warps were then
  };
  struct Pick {
    int sm;
    Place next;
    std::optional<Place> last = std::nullopt;  ///< of two
  };

  bool empty() const { return picks_.empty(); }
  int size() const { return static_cast<int>(picks_.size()); }
  bool has(int sm) const { return std::ranges::find(picks_, sm, &Pick::sm) != picks_.end(); }

  /// The one whose turn it is.
  const Pick& front() const { return picks_.front(); }

  void join(Pick pick) { picks_.push_back(std::move(pick)); }

  /// Takes the next place that is given out.
  std::pair<int, Place> take() {
    Pick pick = std::move(picks_.front());
    picks_.erase(picks_.begin());  // few
    if (pick.last) picks_.push_back({pick.sm, *pick.last});
    return {pick.sm, std::move(pick.next)};
  }

 private:
  std::vector<Pick> picks_;
};

}  // namespace cuvier
