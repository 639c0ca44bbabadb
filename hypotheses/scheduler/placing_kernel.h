#pragma once

namespace cuvier {

/// The kernel whose block is to be placed, as the choice knows it: by nothing but itself, and which
/// other kernels are answered alike.
class PlacingKernel {
 public:
  /// `kind`: the same for kernels that ask for the same.
  PlacingKernel(int kernel, int kind) : kernel_(kernel), kind_(kind) {}
  bool operator==(const PlacingKernel&) const = default;
  bool is_like(const PlacingKernel& other) const { return kind_ == other.kind_; }

 private:
  template <class R>
  friend class Sms;
  int kernel_;
  int kind_;
};

/// The block that is to be placed, as the choice knows it.
struct NextBlock {
  PlacingKernel kernel;
  int placed = 0;      ///< of its kernel's blocks those that have a place
  int joined = 0;      ///< kernels that joined the queue before its own
  int latest_sm = -1;  ///< of its kernel's latest block; -1: this is the first
  int first_sm = -1;   ///< of its kernel's first block, likewise
};

}  // namespace cuvier
