#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

#include "probes/json_fields.h"

namespace cuvier {

// How a value stands in a file: each kind says how it is read, what JSON Schema says of it, and how
// it is written where that is another way than nlohmann's.

struct Integer {
  Range range = {};
  int read(const Json& json, const Place& place) const {
    return static_cast<int>(read_integer(json, place, range));
  }
  Json schema() const {
    return {{"type", "integer"}, {"minimum", range.low}, {"maximum", range.high}};
  }
};

struct Integers {
  Range range = {};
  std::vector<int> read(const Json& json, const Place& place) const {
    return read_integers(json, place, range);
  }
  Json schema() const { return {{"type", "array"}, {"items", Integer{range}.schema()}}; }
};

struct Number {
  double read(const Json& json, const Place& place) const { return read_number(json, place); }
  Json schema() const { return {{"type", "number"}}; }
};

struct Boolean {
  bool read(const Json& json, const Place& place) const { return read_boolean(json, place); }
  Json schema() const { return {{"type", "boolean"}}; }
};

struct String {
  std::string read(const Json& json, const Place& place) const { return read_text(json, place); }
  Json schema() const { return {{"type", "string"}, {"minLength", 1}}; }
};

/// What a value of an enum is called. The names stand in the order of the values.
template <class Enum, std::size_t n>
struct Word {
  std::array<std::string_view, n> names;
  Enum read(const Json& json, const Place& place) const {
    const auto found = std::ranges::find_if(names, [&](auto name) { return json == Json(name); });
    if (found == names.end()) {
      place.fail("must be {} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
    }
    return static_cast<Enum>(found - names.begin());
  }
  Json write(Enum value) const { return names.at(static_cast<std::size_t>(value)); }
  Json schema() const { return {{"enum", names}}; }
};

template <class Kind, class V>
Json written(const Kind& kind, const V& value) {
  if constexpr (requires { kind.write(value); }) {
    return kind.write(value);
  } else {
    return value;
  }
}

template <class Kind, class V>
Json written(const Kind& kind, const std::optional<V>& value) {
  return written(kind, *value);
}

/// A kind of value that must be `good` as well; if not, `message` says of {} what is wrong.
/// `keywords` say it in JSON Schema.
template <class Kind, class Good>
struct Checked {
  Kind kind;
  const char* keywords;
  Good good;
  const char* message;
  auto read(const Json& json, const Place& place) const {
    auto value = kind.read(json, place);
    if (good(value)) return value;
    const std::string is = json.is_string() ? in_quotes(json.get<std::string>()) : json.dump();
    place.fail(fmt::runtime(message), is);
  }
  Json schema() const {
    Json schema = kind.schema();
    schema.update(parse_json(keywords, ""));
    return schema;
  }
};

template <class Kind, class Good>
Checked(Kind, const char*, Good, const char*) -> Checked<Kind, Good>;

template <class Item>
struct ListOf {
  Item item;
  auto read(const Json& json, const Place& place) const {
    expect_array(json, place);
    std::vector<decltype(item.read(json, place))> values;
    for (std::size_t i = 0; i < json.size(); ++i) {
      values.push_back(item.read(json[i], place.item(i)));
    }
    return values;
  }
  Json write(const auto& values) const {
    return mapped(values, [&](const auto& value) { return written(item, value); });
  }
  Json schema() const { return {{"type", "array"}, {"items", item.schema()}}; }
};

template <class Item>
ListOf(Item) -> ListOf<Item>;

// What is done with each field of an object, as its table calls it.
template <class Done>
struct FieldCalls {
  /// It must be there.
  void required(const char* name, auto& value, const auto& kind, const char* meaning) {
    done().field(name, value, kind, meaning, std::true_type(), std::true_type());
  }
  /// If it is missing, the value stays as it began. It is written if it is not empty, nor 0.
  void optional(const char* name, auto& value, const auto& kind, const char* meaning) {
    done().field(name, value, kind, meaning, std::false_type(), std::false_type());
  }
  /// It may be missing, and is always written.
  void defaulted(const char* name, auto& value, const auto& kind, const char* meaning) {
    done().field(name, value, kind, meaning, std::false_type(), std::true_type());
  }

 private:
  Done& done() { return static_cast<Done&>(*this); }
};

struct ReadFields : FieldCalls<ReadFields> {
  explicit ReadFields(Fields of) : fields(std::move(of)) {}
  void field(const char* name, auto& value, const auto& kind, const char*, auto is_needed, auto) {
    if (is_needed || fields.has(name)) {
      value = kind.read(fields.at(name), fields.place(name));
    }
  }
  /// Of all choices there is one; `chosen` is its tag.
  void choice(const char* name, auto& chosen, auto tag, auto& value, const auto& kind,
              const char*) {
    if (!fields.has(name)) return;
    required(name, value, kind, "");
    chosen = tag;
    ++choices;
  }
  void one_choice(const char* message) const {
    if (choices != 1) fields.place().fail(message);
  }
  Fields fields;
  int choices = 0;
};

struct WriteFields : FieldCalls<WriteFields> {
  template <class V>
  void field(const char* name, const V& value, const auto& kind, const char*, auto,
             auto is_written) {
    if constexpr (!is_written) {
      if (value == V{}) return;
    }
    json[name] = written(kind, value);
  }
  void choice(const char* name, auto chosen, auto tag, auto& value, const auto& kind, const char*) {
    if (chosen == tag) required(name, value, kind, "");
  }
  void one_choice(const char*) const {}
  Json json = Json::object();
};

struct DescribeFields : FieldCalls<DescribeFields> {
  void field(const char* name, const auto&, const auto& kind, const char* meaning, auto is_needed,
             auto) {
    properties[name] = kind.schema();
    properties[name]["description"] = meaning;
    if (is_needed) needed.push_back(name);
  }
  void choice(const char* name, auto, auto, auto& value, const auto& kind, const char* meaning) {
    optional(name, value, kind, meaning);
    choices.push_back({{"required", {name}}});
  }
  void one_choice(const char*) const {}
  Json properties = Json::object();
  Json needed = Json::array();
  Json choices = Json::array();
};

template <class T, class Table, class Check>
struct Object {
  Table table;
  Check check;
  T read(const Json& json, const Place& place) const {
    ReadFields reading(Fields(json, place));
    T value{};
    table(value, reading);
    reading.fields.refuse_unknown();
    check(value, reading.fields);
    return value;
  }
  Json write(const T& value) const {
    WriteFields writing;
    table(value, writing);
    return writing.json;
  }
  Json schema() const {
    DescribeFields told;
    const T value{};
    table(value, told);
    Json schema = {{"type", "object"}, {"properties", told.properties}};
    if (!told.needed.empty()) schema["required"] = told.needed;
    if (!told.choices.empty()) schema["oneOf"] = told.choices;
    schema["additionalProperties"] = false;
    return schema;
  }
};

constexpr auto no_more = [](const auto& /*value*/, Fields& /*fields*/) {};

/// An object of a file: `table`, called with a T and what is to be done, names its fields; others
/// are refused. `check` fails where fields do not go together.
template <class T, class Table, class Check = decltype(no_more)>
constexpr Object<T, Table, Check> object(Table table, Check check = no_more) {
  return {table, check};
}

}  // namespace cuvier
