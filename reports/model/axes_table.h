#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cuvier {

/// What may be true: every axis, its values, when it matters; and the named hypotheses.
std::string axes_text();

/// What formulas of the axis, which takes them, read and give, and its named values as formulas.
std::string formulas_text(int axis);

/// {"axes":[{"name","meaning","values":[{"name","meaning","needs_gpc_map","needs_clusters",
/// "formula"}],"formula":{"gives","kind","names":[{"name","meaning","least","most"}]},"matters_when":[{AXIS:[VALUE,...],...},...]}],"hypotheses":[{"name",...,"mechanism"}]}.
/// `matters_when`: any of these; empty: always.
nlohmann::ordered_json axes_json();

}  // namespace cuvier
