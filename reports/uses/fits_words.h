#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "uses/fits/changes.h"
#include "uses/fits/fits.h"

namespace cuvier {

/// "always", "under_model", "unsafe", "never" or "undecided".
std::string_view verdict_name(Fits::Verdict verdict);

/// "11 blocks of schedulers instead of 80"
std::string change_words(const Change& change, const std::vector<Kernel>& kernels);

/// "a, then b (as soon as 3 blocks are placed)"
std::string arrival_words(const Order& order, const std::vector<Kernel>& kernels);

}  // namespace cuvier
