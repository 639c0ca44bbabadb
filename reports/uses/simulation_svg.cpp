#include "reports/uses/simulation_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace cuvier {
namespace {

constexpr int width = 720;
constexpr int left = 60;
constexpr int plot_width = width - left - 20;
constexpr int plot_height = 150;

/// Of middling lightness, so that they show on any ground.
constexpr std::array colours = {"#3b82c4", "#d9822b", "#3a9d5d", "#c2507a",
                                "#8464c4", "#8a8a2e", "#2e9a9a", "#b0563b"};

std::string escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '<'   ? std::string("&lt;")
               : c == '>' ? std::string("&gt;")
               : c == '&' ? std::string("&amp;")
                          : std::string(1, c);
  }
  return escaped;
}

/// A curve for each policy, of what `value` reads of a span.
class Plot {
 public:
  Plot(const std::vector<SimulatedPolicy>& policies, int top, std::string title,
       std::function<double(const Series::Span&)> value)
      : policies_(policies), top_(top), title_(std::move(title)), value_(std::move(value)) {
    for (const SimulatedPolicy& policy : policies) {
      until_ms_ = std::max(until_ms_, policy.outcome.until_ms);
      for (const auto& span : policy.outcome.over_time.spans()) {
        most_ = std::max(most_, value_(span));
      }
    }
  }

  std::string svg() const {
    const int bottom = top_ + plot_height;
    std::string svg = fmt::format(
        "<text x='{}' y='{}'>{}</text>\n<path class='axis' d='M{} {}V{}H{}'/>\n"
        "<text class='end' x='{}' y='{}'>{:.3g}</text>\n"
        "<text class='end' x='{}' y='{}'>0</text>\n"
        "<text class='end' x='{}' y='{}'>{:.4g} ms</text>\n",
        left, top_ - 8, title_, left, top_, bottom, left + plot_width, left - 6, top_ + 10, most_,
        left - 6, bottom, left + plot_width, bottom + 16, until_ms_);
    for (std::size_t i = 0; i < policies_.size(); ++i) {
      svg += fmt::format("<path style='stroke:{}' d='{}'/>\n", colours[i % colours.size()],
                         curve(policies_[i].outcome.over_time));
    }
    return svg;
  }

 private:
  std::string curve(const Series& series) const {
    std::string path = fmt::format("M{} {}", left, top_ + plot_height);
    double at_ms = 0;
    for (const Series::Span& span : series.spans()) {
      path += fmt::format("V{:.1f}", top_ + plot_height * (1 - value_(span) / most_));
      at_ms = std::min(at_ms + series.span_ms(), until_ms_);
      path += fmt::format("H{:.1f}", left + plot_width * at_ms / until_ms_);
    }
    return path + fmt::format("V{}", top_ + plot_height);
  }

  const std::vector<SimulatedPolicy>& policies_;
  int top_;
  std::string title_;
  std::function<double(const Series::Span&)> value_;
  double until_ms_ = 1e-9;
  double most_ = 1e-9;
};

}  // namespace

std::string simulation_svg(const std::vector<SimulatedPolicy>& policies, const Device& device) {
  const double slots = static_cast<double>(device.sms) * device.max_warps_per_sm;
  const Plot utilisation(policies, 30, "warp slots in use, %",
                         [&](const Series::Span& span) { return 100 * span.warps / slots; });
  const Plot blocks(policies, 240, "resident blocks",
                    [](const Series::Span& span) { return span.blocks; });
  constexpr int legend = 440;
  const int height = legend + 20 * static_cast<int>(policies.size());
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' font-family='sans-serif' "
      "font-size='12'>\n<style>\npath {{ fill: none; stroke-width: 1.5 }}\ntext {{ fill: #333 }}\n"
      ".axis {{ stroke: #888; stroke-width: 1 }}\n.end {{ text-anchor: end }}\n"
      "@media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} }}\n</style>\n",
      width, height);
  svg += utilisation.svg() + blocks.svg();
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const int y = legend + 20 * static_cast<int>(i);
    svg += fmt::format("<path style='stroke:{}' d='M{} {}h20'/>\n<text x='{}' y='{}'>{}</text>\n",
                       colours[i % colours.size()], left, y, left + 28, y + 4,
                       escaped(policies[i].name));
  }
  return svg + "</svg>\n";
}

}  // namespace cuvier
