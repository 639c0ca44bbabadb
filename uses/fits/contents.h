#pragma once

#include <optional>
#include <vector>

#include "uses/fits/demand.h"

namespace cuvier {

/// What an SM may hold: how many blocks of each kind.
using Contents = std::vector<int>;

/// Whether it exceeds no resource.
bool is_within(const std::vector<Resource>& resources, const Contents& contents);

/// The least contents, within the limits, beside which one more block of the kind does not surely
/// fit: any other such contents has one of these in it. None where there are more than can be
/// looked at.
std::optional<std::vector<Contents>> least_without_room(const std::vector<Resource>& limits,
                                                        const std::vector<Resource>& needs,
                                                        int kind);

/// The most that an SM can hold within the limits: any other such contents is part of one of these.
/// None where there are more than can be looked at.
std::optional<std::vector<Contents>> greatest(const std::vector<Resource>& limits);

}  // namespace cuvier
