#pragma once

namespace cuvier {

/// The kernel whose block is to be placed, as the choice knows it: by nothing but itself, and which
/// other kernels are answered alike.
class Asker {
 public:
  /// `kind`: the same for kernels that ask for the same.
  Asker(int kernel, int kind) : kernel_(kernel), kind_(kind) {}
  bool operator==(const Asker&) const = default;
  bool is_like(const Asker& other) const { return kind_ == other.kind_; }

 private:
  template <class R>
  friend class Sms;
  int kernel_;
  int kind_;
};

}  // namespace cuvier
