#pragma once

#include <algorithm>

#include "hypotheses/axis.h"

namespace cuvier {

/// How many blocks of clusters an SM holds at once, of whatever kernels.
struct ClusterLimit {
  enum Value : int { none, eight };
  static constexpr AxisValue values[] = {
      {"none", "as many blocks as fit"},
      // An H100 and an H200: docs/results/hopper.md.
      {.name = "eight",
       .meaning = "eight blocks at most",
       .needs = Needs::lone_tpcs_and_clusters,
       .last_resort = true},
  };
  static constexpr AxisTitle title{Part::clusters, "cluster_limit",
                                   "how many blocks of clusters an SM holds",
                                   "of clusters an SM holds"};

  static constexpr int most = 8;

  /// Whether an SM with so many takes another.
  template <class C, class D>
  static typename D::Bool admits(const C& d, int blocks) {
    using Bool = typename D::Bool;
    return d.template choose<ClusterLimit>(
        [&](Value v) -> Bool { return Bool(v == none || blocks < most); });
  }
  /// The key of room, minus so many blocks, on one that holds so many of clusters.
  template <class C, class D>
  static typename D::Int least_key(const C& d, const typename D::Int& room_key, int blocks) {
    using Int = typename D::Int;
    return d.template choose<ClusterLimit>([&](Value v) -> Int {
      return v == none ? room_key : max(room_key, Int(std::min(0, blocks - most)));
    });
  }
};

}  // namespace cuvier
