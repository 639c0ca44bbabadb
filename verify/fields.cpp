#include "verify/fields.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

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

int integer_in(const Json& json, long least, long most, const std::string& where) {
  const bool too_large =
      json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  if (json.is_number_integer() && !too_large && json >= least && json <= most) return json;
  throw Unreadable(fmt::format("{}: must be a whole number from {} to {}", where, least, most));
}

std::vector<int> integers_in(const Json& json, long least, long most, const std::string& where) {
  if (!json.is_array()) throw Unreadable(where + ": must be a list of whole numbers");
  std::vector<int> values;
  for (const Json& each : json) values.push_back(integer_in(each, least, most, where));
  return values;
}

Fields::Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object.is_object()) throw Unreadable(where_ + ": must be an object");
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

int Fields::integer(const std::string& name, long least, long most, std::optional<int> missing) {
  return missing && !find(name) ? *missing : integer_in(at(name), least, most, place(name));
}

std::vector<int> Fields::integers(const std::string& name, long least, long most) {
  return integers_in(at(name), least, most, place(name));
}

std::vector<std::pair<const Json&, std::string>> Fields::list(const std::string& name) {
  const Json& json = at(name);
  if (!json.is_array()) fail(name, "must be a list");
  std::vector<std::pair<const Json&, std::string>> list;
  for (std::size_t i = 0; i < json.size(); ++i) {
    list.emplace_back(json[i], fmt::format("{}[{}]", place(name), i));
  }
  return list;
}

void Fields::nothing_else() const {
  for (const auto& [name, value] : object_.items()) {
    if (!read_.contains(name)) fail(name, "is no field here");
  }
}

}  // namespace cuvier::verify
