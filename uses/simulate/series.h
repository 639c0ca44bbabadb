#pragma once

#include <vector>

namespace cuvier {

/// What a device holds over time, on average over spans of equal length. There are no more spans
/// than `most`, however long it takes: they become twice as long whenever time runs past the last.
class Series {
 public:
  static constexpr std::size_t most = 256;

  struct Span {
    double blocks = 0;  ///< resident, on average
    double warps = 0;
  };

  /// From then until then, so many are resident. Calls go on where the last one ended.
  void add(double from_ms, double until_ms, int blocks, int warps);

  double span_ms() const { return span_ms_; }
  /// The last one may have ended before its time: nothing is resident from there on.
  std::vector<Span> spans() const;

 private:
  double span_ms_ = 1e-3;
  std::vector<Span> sums_;  ///< over the time of each
};

}  // namespace cuvier
