#include "json_once.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;
