#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cuvier {

/// What may be true: every axis, its values, when it matters; and the named hypotheses.
std::string axes_text();

/// {"axes":[{"name","meaning","values":[{"name","meaning","needs_gpc_map","needs_clusters"}],
/// "matters_when":[{AXIS:[VALUE,...],...},...]}],"hypotheses":[{"name",...,"mechanism"}]}.
/// `matters_when`: any of these; empty: always.
nlohmann::ordered_json axes_json();

/// The GPUs whose documented facts are built in, one a line; then their notes.
std::string devices_text();

/// {NAME: {the fields of a device file}, ...}.
nlohmann::ordered_json devices_json();

}  // namespace cuvier
