#include "uses/simulate/series.h"

#include <algorithm>

namespace cuvier {

void Series::add(double from_ms, double until_ms, int blocks, int warps) {
  if (until_ms <= from_ms) return;
  while (until_ms > span_ms_ * most) {
    for (std::size_t i = 0; 2 * i < sums_.size(); ++i) {
      Span sum = sums_[2 * i];
      if (2 * i + 1 < sums_.size()) {
        sum.blocks += sums_[2 * i + 1].blocks;
        sum.warps += sums_[2 * i + 1].warps;
      }
      sums_[i] = sum;
    }
    sums_.resize((sums_.size() + 1) / 2);
    span_ms_ *= 2;
  }
  auto i = std::min(static_cast<std::size_t>(from_ms / span_ms_), most - 1);
  for (double at = from_ms; at < until_ms; ++i) {
    if (i >= sums_.size()) sums_.resize(i + 1);
    const double end =
        i + 1 == most ? until_ms : std::min(until_ms, static_cast<double>(i + 1) * span_ms_);
    if (end > at) {
      sums_[i].blocks += blocks * (end - at);
      sums_[i].warps += warps * (end - at);
      at = end;
    }
  }
}

std::vector<Series::Span> Series::spans() const {
  std::vector<Span> spans = sums_;
  for (Span& span : spans) {
    span.blocks /= span_ms_;
    span.warps /= span_ms_;
  }
  return spans;
}

}  // namespace cuvier
