#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace cuvier {

/// The slot of each warp of some blocks that have as many warps each: one row holds all.
class WarpSlots {
 public:
  WarpSlots() = default;
  WarpSlots(std::initializer_list<std::vector<int>> blocks) {
    for (const std::vector<int>& block : blocks) push_back(block);
  }

  void push_back(std::span<const int> block) {
    warps_ = block.size();
    row_.insert(row_.end(), block.begin(), block.end());
  }
  void clear() { *this = {}; }

  bool empty() const { return row_.empty(); }
  /// Blocks.
  std::size_t size() const { return empty() ? 0 : row_.size() / warps_; }
  std::span<const int> operator[](std::size_t block) const {
    return std::span(row_).subspan(block * warps_, warps_);
  }
  std::vector<std::vector<int>> by_block() const {
    std::vector<std::vector<int>> blocks;
    for (std::size_t i = 0; i < size(); ++i)
      blocks.emplace_back((*this)[i].begin(), (*this)[i].end());
    return blocks;
  }

  /// Of all warps.
  const std::vector<int>& row() const { return row_; }
  std::vector<int>& row() { return row_; }

  bool operator==(const WarpSlots&) const = default;

 private:
  std::size_t warps_ = 0;  ///< of a block
  std::vector<int> row_;
};

}  // namespace cuvier
