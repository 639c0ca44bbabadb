// What is left: how many, and with which values.

#include <algorithm>

#include "verify/left.h"

namespace cuvier::verify {

int Left::size(Part part) const {
  switch (part) {
    case warps:
      return static_cast<int>(warps_.combinations().size());
    case shared_memory:
      return shared_.size();
    default:
      return static_cast<int>(rules_[part - waiting].size());
  }
}

const Mechanism* Left::deciding(int axis, Part part, int combination) const {
  if (part == shared_memory) {
    const Mechanism& needs = shared_.needs_mechanism(combination);
    const Mechanism& rules = shared_.rules_mechanism(combination);
    return needs.is_decided(axis) ? &needs : rules.is_decided(axis) ? &rules : nullptr;
  }
  const Mechanism& of =
      part == warps ? warps_.combinations()[combination] : rules_[part - waiting][combination];
  return of.is_decided(axis) ? &of : nullptr;
}

/// The combinations of a part that any of these have.
Set Left::in_any(const std::vector<const std::vector<Cells>*>& all, Part part) const {
  std::vector<bool> has(size(part));
  for (const std::vector<Cells>* list : all) {
    for (const Cells& cells : *list) {
      for (const int each : *cells[part]) has[each] = true;
    }
  }
  Set set;
  for (int each = 0; each < size(part); ++each) {
    if (has[each]) set.push_back(each);
  }
  return set;
}

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

Mechanism Left::member(const Box& box, std::mt19937_64& random) const {
  std::array<int, parts> combination{};
  for (int part = 0; part < parts; ++part) {
    combination[part] = (*box.cells[part])[random() % box.cells[part]->size()];
  }
  Mechanism member;
  for (int axis = 0; axis < axis_count; ++axis) {
    const auto& values = space_.values(axis);
    const Part part = part_of(axis);
    if (part != parts) {
      member.decide(axis, (*deciding(axis, part, combination[part]))[axis]);
    } else {
      member.decide(axis, box.mechanism.is_decided(axis) ? box.mechanism[axis]
                                                         : values[random() % values.size()]);
    }
  }
  return member;
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

}  // namespace cuvier::verify
