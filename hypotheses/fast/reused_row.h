#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace cuvier {

/// A row that is emptied over and over. What was in it stays, for its memory, until it is used
/// again. Copies have what is in the row alone.
template <class T>
class ReusedRow {
 public:
  ReusedRow() = default;
  ReusedRow(const ReusedRow& other) : kept_(other.begin(), other.end()), size_(other.size_) {}
  ReusedRow& operator=(const ReusedRow&) = delete;

  /// One more: a new one made of these, or one that somebody has used.
  T& add(auto&&... made_of) {
    if (size_ == kept_.size()) kept_.emplace_back(std::forward<decltype(made_of)>(made_of)...);
    return kept_[size_++];
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  auto begin() { return kept_.begin(); }
  auto end() { return kept_.begin() + static_cast<std::ptrdiff_t>(size_); }
  auto begin() const { return kept_.begin(); }
  auto end() const { return kept_.begin() + static_cast<std::ptrdiff_t>(size_); }

 private:
  std::vector<T> kept_;
  std::size_t size_ = 0;
};

}  // namespace cuvier
