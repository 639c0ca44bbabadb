#pragma once

#include <array>
#include <climits>

#include "verify/axes.h"
#include "verify/formula.h"
#include "verify/recording.h"

namespace cuvier::verify {

/// A value of an axis: one of its row, or a formula. There is one object of each, which is kept as
/// long as the program runs; so values are compared by their address.
struct Value {
  std::string text;
  int named;                    ///< its place in the row; -1: it is a formula
  std::optional<Formula> rule;  ///< what it says; none: it is a way of working
};

/// The value of that name, or which is that formula. Throws Unreadable.
const Value* value_of(int axis, const std::string& text, const std::string& where = {});

/// One value of each axis, or of some.
class Mechanism {
 public:
  const Value*& operator[](int axis) { return values_[axis]; }
  /// Null: nobody decided on it.
  const Value* operator[](int axis) const { return values_[axis]; }
  /// Whether its axis has this value: is("queue=fifo").
  bool is(Named value) const { return values_[value.axis]->named == value.value; }
  bool is_formula(Axis axis) const { return values_[axis]->named < 0; }
  /// What the axis's value says; null: it is a way of working.
  const Formula* rule(Axis axis) const {
    const auto& rule = values_[axis]->rule;
    return rule ? &*rule : nullptr;
  }
  /// The same of an axis whose values all say something, within bounds.
  long number(Axis axis, Formula::Numbers names, long least = LONG_MIN,
              long most = LONG_MAX) const {
    return std::clamp(rule(axis)->number(names), least, most);
  }

 private:
  std::array<const Value*, axis_count> values_{};
};

/// Hypotheses: any combination of these values of the axes.
class Space {
 public:
  /// All of one outcome and with a named order that the device permits.
  explicit Space(const Device& device);
  /// That one alone.
  explicit Space(const Mechanism& hypothesis);

  /// Only these: "AXIS=VALUE,VALUE", where a value may be a formula. Throws Unreadable.
  void restrict_to(const std::string& assumption, const std::string& where);
  /// Those that need lone TPCs, too, as far as they are permitted.
  void consider_lone_tpcs();
  /// Of that axis only that value, another last resort. Whether it is permitted.
  bool consider(int axis, const std::string& last_resort);

  /// Whether there are only last resorts.
  bool nothing() const {
    return std::ranges::any_of(values_, [](const auto& values) { return values.empty(); });
  }
  const std::vector<const Value*>& values(int axis) const { return values_[axis]; }
  /// How many there are, last resorts among them that are not considered.
  double combinations() const;

 private:
  std::array<std::vector<const Value*>, axis_count> values_;
  std::array<std::vector<const Value*>, axis_count> last_resorts_;  ///< that are permitted
};

/// Values are considered only where nothing else is left that only devices with two GPCs of a
/// single TPC have: these all at once.
bool needs_lone_tpcs(std::string_view value);
/// Then others, as they explain whatever others do: by axis, in the order in which they are
/// considered.
const std::vector<std::pair<int, std::vector<std::string>>>& last_resorts_in_turn();
bool is_last_resort(std::string_view value);

}  // namespace cuvier::verify
