#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// The part of the space that is considered: for each axis, the values allowed (a bit each).
struct Assumptions {
  std::array<std::uint32_t, kAxes> allowed;

  /// Everything that the device's facts permit.
  static Assumptions all(const Device& device);

  /// Without the values that are last resorts (AxisValue), where an axis has others.
  Assumptions without_last_resorts() const;
  /// But with those of them that only devices with lone TPCs have: these take as long to refute as
  /// what others do.
  Assumptions quick_to_refute() const;

  bool allows(int axis, int value) const { return allowed[axis] >> value & 1; }

  /// Restricts it by "AXIS=VALUE[,VALUE...]" (several, with commas between them), or by the
  /// name of a hypothesis, which fixes every axis. Throws Error that lists what there is for an
  /// unknown axis, value or name, and when nothing would be left (a value that needs a GPC map the
  /// device lacks).
  void restrict_by(const std::string& text);

  /// "AXIS=VALUE[,VALUE...]" for each axis of which not all that the device permits is allowed.
  std::vector<std::string> restrictions(const Device& device) const;

  /// The only hypothesis, if every axis has one value left.
  std::optional<Hypothesis> single() const;
};

/// A hypothesis that somebody published.
struct NamedHypothesis {
  std::string_view name;     ///< "algorithm-1"
  std::string_view meaning;  ///< one line
  std::string_view source;   ///< where it comes from
  Hypothesis hypothesis;
};

/// All of them; one row each. The first is Algorithm 1 as meant.
std::span<const NamedHypothesis> named_hypotheses();

/// A complete hypothesis from a name, or from "AXIS=VALUE,AXIS=VALUE" over Algorithm 1 or
/// over the name that comes first.
/// Throws Error as restrict_by does.
Hypothesis hypothesis_from_text(const std::string& text);

/// A model's `mechanism`: {"AXIS":"VALUE",...}; axes not named are Algorithm 1's. Numbers
/// stand for values of that name. Throws Error: `where`, field below `path`, remedy.
Hypothesis hypothesis_from_json(const nlohmann::ordered_json& mechanism, const std::string& where,
                                const std::string& path = {});

/// {"AXIS":"VALUE",...} in the table's order, every axis.
nlohmann::ordered_json to_json(const Hypothesis& hypothesis);

}  // namespace cuvier
