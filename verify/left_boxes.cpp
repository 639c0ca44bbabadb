// What is left: how many, and with which values.

#include <algorithm>

#include "verify/left.h"

namespace verify {

std::vector<Box> Left::boxes() const {
  std::vector<Box> boxes;
  for (const World& world : worlds_) {
    for (const Cells& cells : world.cells) boxes.push_back({world.mechanism, cells});
  }
  return boxes;
}

/// The part that decides an axis; `parts`: none does.
Part Left::part_of(int axis) const {
  for (const Part part : {warps, shared_memory, waiting, batches}) {
    if (deciding(axis, part, 0)) return part;
  }
  return parts;
}

double Left::hypotheses() const {
  double all = 0;
  for (const auto& [mechanism, cells] : boxes()) {
    double product = 1;
    for (const Set* set : cells) product *= static_cast<double>(set->size());
    for (int axis = 0; axis < axis_count; ++axis) {
      if (part_of(axis) == parts && !mechanism.is_decided(axis)) {
        product *= static_cast<double>(space_.values(axis).size());
      }
    }
    all += product;
  }
  return all;
}

std::vector<Value> Left::surviving(int axis) const {
  const std::vector<Box> boxes = this->boxes();
  const Part part = boxes.empty() ? parts : part_of(axis);
  const auto in_box = [&](const Box& box, const Value& value) {
    if (part == parts) return !box.mechanism.is_decided(axis) || box.mechanism[axis] == value;
    return std::ranges::any_of(
        *box.cells[part], [&](int each) { return (*deciding(axis, part, each))[axis] == value; });
  };
  std::vector<Value> surviving;
  for (const Value& value : space_.values(axis)) {
    if (std::ranges::any_of(boxes, [&](const Box& box) { return in_box(box, value); })) {
      surviving.push_back(value);
    }
  }
  return surviving;
}

bool Left::has(const Mechanism& hypothesis) const {
  return std::ranges::any_of(boxes(), [&](const Box& box) {
    for (int axis = 0; axis < axis_count; ++axis) {
      if (part_of(axis) == parts && box.mechanism.is_decided(axis) &&
          !(box.mechanism[axis] == hypothesis[axis])) {
        return false;
      }
    }
    for (const Part part : {warps, shared_memory, waiting, batches}) {
      const auto is_it = [&](int each) {
        for (int axis = 0; axis < axis_count; ++axis) {
          const Mechanism* of = deciding(axis, part, each);
          if (of && !((*of)[axis] == hypothesis[axis])) return false;
        }
        return true;
      };
      if (std::ranges::none_of(*box.cells[part], is_it)) return false;
    }
    return true;
  });
}

}  // namespace verify
