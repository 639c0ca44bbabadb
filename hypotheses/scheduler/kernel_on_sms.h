#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "hypotheses/scheduler/sm_signature.h"

namespace cuvier {

/// A number that was not asked for yet.
inline constexpr int kUnnumbered = -1;

/// The element, of a row that may have to become longer.
template <class T>
T& grown_to(std::vector<T>& row, int index, const T& empty) {
  if (index >= static_cast<int>(row.size())) row.resize(index + 1, empty);
  return row[index];
}

/// What a kernel finds on SMs of one signature, as far as it was asked for. It is made of the
/// signature and of what holds for the whole device, never of the SM that it was asked for.
template <class Int, class Bool>
struct View {
  bool looked = false;
  bool measured = false;
  bool weighed = false;
  Bool fits{};
  Int config{};
  Int room_key{};
  Int usage{};
  int with_block = kUnnumbered;  ///< the signature once a block of the kernel was placed
};

/// An SM as it is.
template <class Warps, class Shared>
struct SmState {
  SmSignature<Warps, Shared> signature;
  int number = kUnnumbered;            ///< of the signature, once it was asked for
  int setter = CarveOutDomain::kIdle;  ///< the kernel that came when it was idle last
};

/// A kernel's demands, and what it finds. Kernels that ask for the same are of one kind, which is
/// named by the first of them.
template <class Int, class Bool>
struct OnSms {
  int kind = 0;
  int as_setter = 0;  ///< how signatures know it: by a kind that prefers the same configuration
  int joined = 0;     ///< kernels that joined the queue before it
  Int bytes{};
  Int preferred{};
  std::vector<View<Int, Bool>> views{};         ///< of a kind: by number of the signature
  std::vector<std::vector<Bool>> fits_after{};  ///< likewise: once one more is there, two are, ...

  /// For another kernel of its kind.
  OnSms without_views() const {
    return {.kind = kind, .as_setter = as_setter, .bytes = bytes, .preferred = preferred};
  }
};

/// A reading that lets no SM hold more blocks of some kernels than so many. No GPU has such caps;
/// schedulers that were proposed do (uses/simulate).
template <class R>
concept HasCaps = requires(const R& r, int kernel) {
  // None for a kernel that never has one: kernels that have are nobody's like.
  { r.cap_on_sm(kernel) } -> std::same_as<std::optional<int>>;
};
/// The cap of a kernel on an SM, if it has one.
template <class R>
std::optional<int> cap_of(const R& reading, int kernel) {
  if constexpr (HasCaps<R>) return reading.cap_on_sm(kernel);
  return std::nullopt;
}

}  // namespace cuvier
