#include "probes/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "probes/an_error.h"
#include "probes/nearest_name.h"

namespace cuvier {
namespace {

constexpr std::size_t longest_quote = 60;
constexpr std::size_t longest_message = 400;
constexpr std::size_t deepest_nesting = 32;

bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
}

/// At most so many bytes of it, and of the last character all or nothing.
std::string_view shortened(std::string_view text, std::size_t longest) {
  constexpr std::size_t most_bytes = 4;  // of a character in UTF-8
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end + most_bytes > longest + 1 && (text[end] & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

/// In quotes, with U+FFFD for bytes that are no UTF-8.
std::string as_json(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The value itself if it is a scalar, otherwise what it is.
std::string shown(const Json& json) {
  if (json.is_array()) return "an array";
  if (json.is_object()) return "an object";
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  return json.dump();
}

/// What a reader sees at a byte of the text.
std::string character_at(std::string_view text, std::size_t offset) {
  const auto c = static_cast<unsigned char>(text[offset]);
  return c >= 0x20 && c < 0x7f ? fmt::format("'{}'", text[offset])
                               : fmt::format("byte 0x{:02x}", c);
}

/// "line 2, column 7". A line of a .jsonl file has its number in the message already.
std::string position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = offset - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  const bool one_line_only = text.find('\n') == std::string_view::npos;
  return one_line_only ? fmt::format("column {}", column)
                       : fmt::format("line {}, column {}", line, column);
}

[[noreturn]] void fail_syntax(std::string_view text, std::size_t offset, const std::string& where) {
  const std::string position = position_of(text, offset);
  if (offset >= text.size()) {
    throw an_error("{}: not JSON: it ends too early, at {}; write the rest or remove it", where,
                   position);
  }
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.find('\n');
  const bool in_lines =
      newline != std::string_view::npos && Json::accept(before.substr(0, newline));
  throw an_error("{}: not JSON: unexpected {} at {}; mend it or remove it{}", where,
                 character_at(text, offset), position,
                 in_lines ? " (its first line is JSON by itself: are these recordings?)" : "");
}

/// The library tells the number that is too large, but not its place.
[[noreturn]] void fail_range(std::string_view text, std::string_view what,
                             const std::string& where) {
  const std::size_t first = what.find('\'') + 1;  // npos + 1 is 0
  const std::string_view number = what.substr(first, what.rfind('\'') - first);
  throw an_error("{}: {} at {} is out of the range of numbers; mend it or remove it", where,
                 in_quotes(number), position_of(text, text.find(number)));
}

/// Refuses what the parser takes: names that stand twice, and what nests too deep. Syntax is left
/// to the parser. (Its own callback costs the square of the length of an array.)
class StructureChecker : public nlohmann::json_sax<Json> {
 public:
  explicit StructureChecker(const std::string& where) : where_(where) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(Json::number_integer_t) override { return true; }
  bool number_unsigned(Json::number_unsigned_t) override { return true; }
  bool number_float(Json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return start(); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return start(); }
  bool end_array() override { return end(); }
  bool key(std::string& name) override {
    if (names_.back().insert(name).second) return true;
    throw an_error("{}: {} stands twice in one object; keep one of them", where_, in_quotes(name));
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  bool start() {
    names_.emplace_back();
    if (names_.size() <= deepest_nesting) return true;
    throw an_error("{}: nested more than {} deep; nothing of ours is", where_, deepest_nesting);
  }
  bool end() {
    names_.pop_back();
    return true;
  }

  const std::string& where_;
  std::vector<std::set<std::string>> names_;  ///< of what is open, outermost first
};

/// What each kind of file has at its top that no kind before it has, and what it needs there of
/// what other kinds do.
struct FileKind {
  std::string_view mark;
  std::string_view what;
  std::vector<std::string_view> needs;
};
const std::vector<FileKind>& file_kinds() {
  static const std::vector<FileKind> kinds = {{"mechanism", "a model", {"schema"}},
                                              {"source", "recordings", {"type"}},
                                              {"script", "a probe", {"name", "kernels", "script"}},
                                              {"sms", "a device", {"name", "architecture", "sms"}},
                                              {"kernels", "a set of kernels", {"kernels"}}};
  return kinds;
}

const FileKind* kind_of(const Json& json) {
  const auto kind = std::ranges::find_if(
      file_kinds(), [&](const FileKind& each) { return json.contains(each.mark); });
  return json.is_object() && kind != file_kinds().end() ? &*kind : nullptr;
}

/// Where the field is missing at the top of a file of another kind, which needs none such.
std::string hint_of_other_kind(const Json& json, std::string_view missing) {
  const auto needs = [&](const FileKind& kind) {
    return std::ranges::find(kind.needs, missing) != kind.needs.end();
  };
  const FileKind* const kind = kind_of(json);
  if (!kind || needs(*kind) || std::ranges::none_of(file_kinds(), needs)) return "";
  return looks_like(json);
}

}  // namespace

std::string looks_like(const Json& json) {
  const FileKind* const kind = kind_of(json);
  return kind ? fmt::format(" (this looks like {})", kind->what) : "";
}

std::optional<std::string> looks_like(std::string_view text) {
  const Json whole = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (whole.is_discarded()) return std::nullopt;
  return looks_like(whole);
}

Place Place::field(std::string_view name) const {
  const std::string shown_name = is_plain(name) ? std::string(name) : in_quotes(name);
  return Place(where_, path_.empty() ? shown_name : path_ + "." + shown_name);
}

Place Place::item(std::size_t index) const {
  return Place(where_, fmt::format("{}[{}]", path_, index));
}

void Place::fail(const std::string& what) const {
  std::string message = where_;
  for (const std::string& part : {path_, what}) {
    if (!part.empty()) message += (message.empty() ? "" : ": ") + part;
  }
  throw Error(message);
}

std::int64_t read_integer(const Json& json, const Place& place, Range range) {
  // What 64 bits do not hold comes as a number with a fraction.
  if (json.is_number_float() && json.get<double>() >= 0x1p63) {
    place.fail("{} is too large; at most {}", json.dump(), range.high);
  }
  if (!json.is_number_integer()) place.fail("must be an integer, not {}", shown(json));
  const bool beyond_signed = json.is_number_unsigned() &&
                             json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (beyond_signed || json.get<std::int64_t>() > range.high) {
    place.fail("{} is too large; at most {}", json.dump(), range.high);
  }
  if (json.get<std::int64_t>() < range.low) {
    place.fail("{} is too small; at least {}", json.dump(), range.low);
  }
  return json.get<std::int64_t>();
}

double read_number(const Json& json, const Place& place) {
  if (!json.is_number()) place.fail("must be a number, not {}", shown(json));
  return json.get<double>();
}

bool read_boolean(const Json& json, const Place& place) {
  if (!json.is_boolean()) place.fail("must be true or false, not {}", shown(json));
  return json.get<bool>();
}

std::string read_text(const Json& json, const Place& place) {
  if (!json.is_string()) place.fail("must be a string, not {}", shown(json));
  if (json.get_ref<const std::string&>().empty()) place.fail("must not be empty");
  return json.get<std::string>();
}

void expect_array(const Json& json, const Place& place) {
  if (!json.is_array()) place.fail("must be an array, not {}", shown(json));
}

std::vector<int> read_integers(const Json& json, const Place& place, Range range) {
  expect_array(json, place);
  std::vector<int> values;
  values.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    // The place of an item is text: made only where there is something to say.
    const bool good = json[i].is_number_integer() && json[i] >= range.low && json[i] <= range.high;
    if (!good) read_integer(json[i], place.item(i), range);
    values.push_back(json[i].get<int>());
  }
  return values;
}

void expect_object(const Json& json, const Place& place) {
  if (!json.is_object()) place.fail("must be an object, not {}", shown(json));
}

Fields::Fields(const Json& json, Place place) : json_(json), place_(std::move(place)) {
  expect_object(json_, place_);
}

bool Fields::has(std::string_view name) {
  known_.push_back(name);
  return json_.find(std::string(name)) != json_.end();
}

const Json& Fields::at(std::string_view name) {
  if (!has(name)) fail_missing(name);
  return *json_.find(std::string(name));
}

void Fields::fail_missing(std::string_view name) const {
  std::vector<std::string_view> others;
  for (const auto& [other, value] : json_.items()) {
    if (std::ranges::find(known_, other) == known_.end()) others.push_back(other);
  }
  std::string hint = place_.path().empty() ? hint_of_other_kind(json_, name) : "";
  if (const auto near = nearest_name(name, others)) {
    hint = fmt::format(" (did you mean it by {}?)", in_quotes(*near));
  }
  place(name).fail("is missing; add it" + hint);
}

int Fields::integer(std::string_view name, Range range) {
  const Json& value = at(name);
  return static_cast<int>(read_integer(value, place(name), range));
}

int Fields::integer(std::string_view name, Range range, int fallback) {
  return has(name) ? integer(name, range) : fallback;
}

std::string Fields::text(std::string_view name) {
  const Json& value = at(name);
  return read_text(value, place(name));
}

void Fields::refuse_unknown() const {
  for (const auto& [name, value] : json_.items()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    std::vector<std::string_view> names;
    for (std::string_view known : known_) {
      if (std::find(names.begin(), names.end(), known) == names.end()) names.push_back(known);
    }
    place(name).fail("is no field here; there are {}", fmt::join(names, ", "));
  }
}

std::string in_quotes(std::string_view text) {
  const std::string quoted = as_json(shortened(text, longest_quote));
  return text.size() <= longest_quote ? quoted : quoted + "...";
}

std::string one_line(std::string_view text) {
  std::string line = Json::parse(as_json(shortened(text, longest_message)));
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text.size() <= longest_message ? line : line + "...";
}

Json parse_json(std::string_view text, const std::string& where) {
  StructureChecker checker(where);
  Json::sax_parse(text.begin(), text.end(), &checker);
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    fail_syntax(text, error.byte == 0 ? 0 : error.byte - 1, where);
  } catch (const Json::out_of_range& error) {
    fail_range(text, error.what(), where);
  }
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw an_error("{}: cannot be opened: {}", path, std::strerror(errno));
  std::string text;
  errno = 0;
  try {
    file.exceptions(std::ios::badbit);
    text.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios::failure&) {  // a folder, say, opens but does not read
    throw an_error("{}: cannot be read: {}", path,
                   errno == 0 ? "input error" : std::strerror(errno));
  }
  return text;
}

}  // namespace cuvier
