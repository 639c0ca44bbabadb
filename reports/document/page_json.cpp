#include <algorithm>
#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "probes/json_fields.h"
#include "reports/document/page.h"

namespace cuvier {
namespace {

constexpr std::array<std::string_view, 3> tone_names = {"good", "bad", "open"};
constexpr std::array<std::string_view, 2> mark_names = {"code", "strong"};  // after Mark::none
constexpr std::array<std::string_view, 6> item_names = {"text",   "table", "list",
                                                        "source", "chart", "map"};
static_assert(item_names.size() == std::variant_size_v<Item>);

template <class T, class Part>
concept Is = std::same_as<std::remove_const_t<T>, Part>;

// The fields of each part: what is written of it is what is read.
void each_field(Is<Table> auto& table, const auto& field) {
  field("caption", table.caption);
  field("headings", table.headings);
  field("rows", table.rows);
}
void each_field(Is<Source> auto& source, const auto& field) {
  field("language", source.language);
  field("text", source.text);
}
void each_field(Is<Chart::Line> auto& line, const auto& field) {
  field("name", line.name);
  field("x_step", line.x_step);
  field("values", line.values);
}
void each_field(Is<Chart> auto& chart, const auto& field) {
  field("title", chart.title);
  field("x_label", chart.x_label);
  field("lines", chart.lines);
}
void each_field(Is<Map> auto& map, const auto& field) {
  field("device", map.device);
  field("seen", map.seen);
  field("predicted", map.predicted);
  field("recordings", map.recordings);
}
void each_field(Is<Section> auto& section, const auto& field) {
  field("title", section.title);
  field("level", section.level);
  field("items", section.items);
}
void each_field(Is<Page> auto& page, const auto& field) {
  field("title", page.title);
  field("about", page.about);
  field("tone", page.tone);
  field("verdict", page.verdict);
  field("numbers", page.numbers);
  field("sections", page.sections);
}

struct AnyField {
  void operator()(const char*, auto&) const {}
};
template <class T>
concept HasFields = requires(T& part) {
  each_field(part, AnyField());
};

struct JsonWriter {
  Json operator()(const std::string& words) const { return words; }
  Json operator()(double number) const { return number; }
  Json operator()(int number) const { return number; }
  Json operator()(const Json& json) const { return json; }
  Json operator()(Page::Tone tone) const { return tone_names.at(static_cast<std::size_t>(tone)); }
  /// Words as they are; those with a mark in an object that names it.
  Json operator()(const Text::Span& span) const {
    if (span.mark == Text::Mark::none) return span.words;
    return {{mark_names.at(static_cast<std::size_t>(span.mark) - 1), span.words}};
  }
  Json operator()(const Text& text) const { return (*this)(text.spans); }
  Json operator()(const List& list) const { return (*this)(list.lines); }
  Json operator()(const Item& item) const {
    return {{item_names.at(item.index()), std::visit(*this, item)}};
  }
  Json operator()(const Page::Number& number) const {
    return Json::array({number.first, number.second});
  }
  template <class Part>
  Json operator()(const std::vector<Part>& parts) const {
    return mapped(parts, *this);
  }
  Json operator()(const HasFields auto& part) const {
    Json json = Json::object();
    each_field(part, [&](const char* name, const auto& value) { json[name] = (*this)(value); });
    return json;
  }
};

/// One of these, or the place fails.
std::size_t index_in(std::string_view name, const auto& names, const Place& place) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) place.fail("is nothing that a page has");
  return static_cast<std::size_t>(found - names.begin());
}

struct Reader {
  void operator()(const Json& json, const Place& place, std::string& words) const {
    if (!json.is_string()) place.fail("must be text");
    words = json.get<std::string>();
  }
  void operator()(const Json& json, const Place& place, double& number) const {
    number = read_number(json, place);
  }
  void operator()(const Json& json, const Place& place, int& level) const {
    level = static_cast<int>(read_integer(json, place, {2, 3}));
  }
  /// Of the same kind as what is there.
  void operator()(const Json& json, const Place& place, Json& value) const {
    value.is_array() ? expect_array(json, place) : expect_object(json, place);
    value = json;
  }
  void operator()(const Json& json, const Place& place, Page::Tone& tone) const {
    std::string name;
    (*this)(json, place, name);
    tone = static_cast<Page::Tone>(index_in(name, tone_names, place));
  }
  void operator()(const Json& json, const Place& place, Text::Span& span) const {
    if (json.is_string()) return (*this)(json, place, span.words);
    expect_object(json, place);
    if (json.size() != 1) place.fail("must have one mark");
    const std::string& mark = json.begin().key();
    (*this)(*json.begin(), place.field(mark), span.words);
    span.mark = static_cast<Text::Mark>(1 + index_in(mark, mark_names, place.field(mark)));
  }
  void operator()(const Json& json, const Place& place, Text& text) const {
    (*this)(json, place, text.spans);
  }
  void operator()(const Json& json, const Place& place, List& list) const {
    (*this)(json, place, list.lines);
  }
  void operator()(const Json& json, const Place& place, Item& item) const {
    expect_object(json, place);
    if (json.size() != 1) place.fail("must be one item");
    const std::string& name = json.begin().key();
    const std::size_t kind = index_in(name, item_names, place.field(name));
    [&]<std::size_t... each>(std::index_sequence<each...>) {
      ((kind == each ? (*this)(*json.begin(), place.field(name), item.emplace<each>()) : void()),
       ...);
    }
    (std::make_index_sequence<item_names.size()>());
  }
  void operator()(const Json& json, const Place& place, Page::Number& number) const {
    std::vector<std::string> both;
    (*this)(json, place, both);
    if (both.size() != 2) place.fail("must be a name and a value");
    number = {both[0], both[1]};
  }
  template <class Part>
  void operator()(const Json& json, const Place& place, std::vector<Part>& parts) const {
    expect_array(json, place);
    for (std::size_t i = 0; i < json.size(); ++i) {
      (*this)(json[i], place.item(i), parts.emplace_back());
    }
  }
  void operator()(const Json& json, const Place& place, HasFields auto& part) const {
    Fields fields(json, place);
    each_field(part, [&](const char* name, auto& value) {
      (*this)(fields.at(name), fields.place(name), value);
    });
    fields.refuse_unknown();
  }
};

}  // namespace

nlohmann::ordered_json page_json(const Page& page) {
  Json json = JsonWriter()(page);
  json["about"] = JsonWriter()(page.whole_about());
  return json;
}

Page page_from_json(const nlohmann::ordered_json& json, const std::string& where,
                    const std::string& path) {
  Page page;
  Reader()(json, Place(where, path), page);
  return page;
}

}  // namespace cuvier
