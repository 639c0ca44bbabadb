#include "verify/fields.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "verify/unreadable.h"

namespace cuvier::verify {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Unreadable(path + ": cannot be read");
  return text;
}

Json parse_json(const std::string& text, const std::string& where) {
  std::vector<std::set<std::string>> names;  // of the objects that we are in
  std::string twice;
  const auto look = [&](int, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key && !names.back().insert(parsed).second) {
      twice = parsed.get<std::string>();
    }
    return true;
  };
  try {
    Json json = Json::parse(text, look);
    if (!twice.empty()) throw Unreadable(fmt::format("{}: has the field {} twice", where, twice));
    return json;
  } catch (const Json::exception& error) {
    throw Unreadable(fmt::format("{}: is no JSON: {}", where, error.what()));
  }
}

Fields::Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object.is_object()) throw Unreadable(where_ + ": must be an object");
}

void Fields::fail(const std::string& name, const std::string& what) const {
  throw Unreadable(fmt::format("{}: {}: {}", where_, name, what));
}

const Json* Fields::find(const std::string& name) {
  read_.insert(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

const Json& Fields::at(const std::string& name) {
  const Json* json = find(name);
  if (json == nullptr) fail(name, "is missing");
  return *json;
}

long integer_in(const Json& json, long least, long most, const std::string& where) {
  if (json.is_number_integer()) {
    const bool too_large = json.is_number_unsigned() && json.get<std::uint64_t>() > (1ULL << 62);
    const long value = too_large ? most + 1 : json.get<long>();
    if (value >= least && value <= most) return value;
  }
  throw Unreadable(fmt::format("{}: must be a whole number from {} to {}", where, least, most));
}

std::vector<int> integers_in(const Json& json, long least, long most, const std::string& where) {
  if (!json.is_array()) throw Unreadable(where + ": must be a list of whole numbers");
  std::vector<int> values;
  for (const Json& each : json) {
    values.push_back(static_cast<int>(integer_in(each, least, most, where)));
  }
  return values;
}

long Fields::integer(const std::string& name, long least, long most, std::optional<long> missing) {
  const Json* json = missing ? find(name) : &at(name);
  return json == nullptr ? *missing : integer_in(*json, least, most, place(name));
}

std::string Fields::text(const std::string& name) {
  const Json& json = at(name);
  if (!json.is_string()) fail(name, "must be a text");
  return json;
}

bool Fields::boolean(const std::string& name, std::optional<bool> missing) {
  const Json* json = missing ? find(name) : &at(name);
  if (json == nullptr) return *missing;
  if (!json->is_boolean()) fail(name, "must be true or false");
  return *json;
}

std::vector<int> Fields::integers(const std::string& name, long least, long most) {
  return integers_in(at(name), least, most, place(name));
}

void Fields::nothing_else() const {
  for (const auto& [name, value] : object_.items()) {
    if (!read_.contains(name)) fail(name, "is no field here");
  }
}

}  // namespace cuvier::verify
