#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "verify/left.h"

namespace cuvier::verify {

/// Sessions in which hypotheses are compared, of two probes each.
constexpr int compared_sessions = 100;

/// Has hypotheses run recorded probes in another order, some of whose kernels need what others
/// need: in sessions that open as the recordings' do. `order`: of tie_break=learned. The first
/// session that they do not take alike, in words; empty: none, or no recordings.
std::string where_they_part(const Device& device, const std::vector<Mechanism>& hypotheses,
                            const std::vector<int>& order,
                            const std::vector<const Recording*>& recordings,
                            std::mt19937_64& random, const std::function<void()>& still);

}  // namespace cuvier::verify
