#pragma once

#include <nlohmann/json.hpp>

// In json_once.cpp: each source would compile it anew. It can be inlined all the same.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
