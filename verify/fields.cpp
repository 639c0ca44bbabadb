#include "verify/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace cuvier::verify {

std::string read_file(const std::string& path) {
  const auto fail = [&] {
    throw Unreadable(fmt::format("{}: cannot be read: {}", path,
                                 errno == 0 ? "input error" : std::strerror(errno)));
  };
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail();
  std::string text;
  try {
    file.exceptions(std::ios::badbit);
    text.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios::failure&) {  // a folder, say, opens but does not read
    fail();
  }
  return text;
}

namespace {

constexpr std::size_t deepest_nesting = 32;

/// Refuses what the parser takes: a name that an object has twice, and what nests so deep that
/// going through it would exhaust the stack. (The parser's own callback would tell it, too, in a
/// time that is the square of an array's length.)
class Structure : public nlohmann::json_sax<Json> {
 public:
  explicit Structure(const std::string& where) : where_(where) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(Json::number_integer_t) override { return true; }
  bool number_unsigned(Json::number_unsigned_t) override { return true; }
  bool number_float(Json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return start(); }
  bool end_object() override { return names_.pop_back(), true; }
  bool start_array(std::size_t) override { return start(); }
  bool end_array() override { return names_.pop_back(), true; }
  bool key(std::string& name) override {
    if (names_.back().insert(name).second) return true;
    throw Unreadable(fmt::format("{}: has the field {} twice", where_, name));
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  bool start() {
    names_.emplace_back();
    if (names_.size() <= deepest_nesting) return true;
    throw Unreadable(fmt::format("{}: nests more than {} deep", where_, deepest_nesting));
  }

  const std::string& where_;
  std::vector<std::set<std::string>> names_;  ///< of what is open
};

/// "unexpected '}' at column 8", or that the text ends too early; with its line where it has
/// several (that of a journal stands in its place already).
std::string unexpected(const std::string& text, std::size_t at) {
  at = std::min(at, text.size());
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  std::string place = fmt::format("column {}", at - begin + 1);
  if (text.find('\n') != text.npos) place = fmt::format("line {}, {}", line + 1, place);
  if (at == text.size()) return "it ends too early, at " + place;
  const auto c = static_cast<unsigned char>(text[at]);
  return c > ' ' && c < 0x7f ? fmt::format("unexpected '{}' at {}", text[at], place)
                             : fmt::format("unexpected byte 0x{:02x} at {}", c, place);
}

}  // namespace

Json parse_json(const std::string& text, const std::string& where) {
  Structure structure(where);
  Json::sax_parse(text, &structure);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Unreadable(fmt::format("{}: is no JSON: {}", where,
                                 unexpected(text, error.byte == 0 ? 0 : error.byte - 1)));
  } catch (const Json::out_of_range&) {
    throw Unreadable(where + ": has a number that is out of range");
  }
}

std::optional<Field> Field::find(const std::string& name) {
  if (!json_->is_object()) fail("must be an object");
  read_.insert(name);
  const auto found = json_->find(name);
  if (found == json_->end()) return {};
  return Field(*found, fmt::format("{}: {}", where_, name));
}

Field Field::at(const std::string& name) {
  const std::optional<Field> found = find(name);
  if (!found) Field(*json_, fmt::format("{}: {}", where_, name)).fail("is missing");
  return *found;
}

void Field::nothing_else() const {
  for (const auto& [name, value] : json_->items()) {
    if (!read_.contains(name))
      Field(value, fmt::format("{}: {}", where_, name)).fail("is no field here");
  }
}

int Field::number(long least, long most) const {
  const Json& json = *json_;
  const bool too_large =
      json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  if (json.is_number_integer() && !too_large && json >= least && json <= most) return json;
  fail(fmt::format("must be a whole number from {} to {}", least, most));
}

std::vector<Field> Field::list() const {
  if (!json_->is_array()) fail("must be a list");
  std::vector<Field> list;
  for (const Json& each : *json_)
    list.emplace_back(each, fmt::format("{}[{}]", where_, list.size()));
  return list;
}

std::vector<int> Field::numbers(long least, long most) const {
  std::vector<int> numbers;
  for (const Field& each : list()) numbers.push_back(each.number(least, most));
  return numbers;
}

}  // namespace cuvier::verify
