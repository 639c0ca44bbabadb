#include "hypotheses/axes.h"

namespace cuvier {

std::optional<int> find_axis(std::string_view name) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).name == name) return axis;
  }
  return std::nullopt;
}

std::optional<int> find_value(int axis, std::string_view name) {
  for (int value = 0; value < axis_size(axis); ++value) {
    if (axis_info(axis).values[value].name == name) return value;
  }
  return std::nullopt;
}

}  // namespace cuvier
