#include "reports/pages/page_json.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

using namespace std::string_view_literals;

constexpr std::array<std::string_view, 3> tone_names = {"good", "bad", "open"};

/// Words as they are; those with a mark in an object that names it.
Json json_of(const Text& text) {
  Json json = Json::array();
  for (const auto& [words, mark] : text.spans) {
    switch (mark) {
      case Text::Mark::none:
        json.push_back(words);
        break;
      case Text::Mark::code:
        json.push_back({{"code", words}});
        break;
      case Text::Mark::strong:
        json.push_back({{"strong", words}});
        break;
    }
  }
  return json;
}

struct ItemJson {
  Json operator()(const Text& text) const { return {{"text", json_of(text)}}; }
  Json operator()(const Table& table) const {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
      Json& cells = rows.emplace_back(Json::array());
      for (const Text& cell : row) cells.push_back(json_of(cell));
    }
    return {
        {"table",
         {{"caption", table.caption}, {"headings", table.headings}, {"rows", std::move(rows)}}}};
  }
  Json operator()(const List& list) const {
    Json lines = Json::array();
    for (const Text& line : list.lines) lines.push_back(json_of(line));
    return {{"list", std::move(lines)}};
  }
  Json operator()(const Source& source) const {
    return {{"source", {{"language", source.language}, {"text", source.text}}}};
  }
  Json operator()(const Chart& chart) const {
    Json lines = Json::array();
    for (const auto& [name, x_step, values] : chart.lines) {
      lines.push_back({{"name", name}, {"x_step", x_step}, {"values", values}});
    }
    return {{"chart",
             {{"title", chart.title}, {"x_label", chart.x_label}, {"lines", std::move(lines)}}}};
  }
  Json operator()(const Map& map) const {
    return {{"map",
             {{"device", map.device},
              {"seen", map.seen},
              {"predicted", map.predicted},
              {"recordings", map.recordings}}}};
  }
};

/// One of these, or the place fails.
std::size_t one_of(std::string_view name, const auto& names, const Place& place) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) place.fail("is nothing that a page has");
  return static_cast<std::size_t>(found - names.begin());
}

std::string read_words(const Json& json, const Place& place) {
  if (!json.is_string()) place.fail("must be text");
  return json.get<std::string>();
}

template <class Read>
auto read_each(const Json& json, const Place& place, const Read& read) {
  expect_array(json, place);
  std::vector<decltype(read(json, place))> all;
  for (std::size_t i = 0; i < json.size(); ++i) all.push_back(read(json[i], place.item(i)));
  return all;
}

Text::Span read_span(const Json& json, const Place& place) {
  if (json.is_string()) return {json.get<std::string>()};
  expect_object(json, place);
  if (json.size() != 1) place.fail("must have one mark");
  const std::string& mark = json.begin().key();
  return {read_words(*json.begin(), place.field(mark)),
          one_of(mark, std::array{"code"sv, "strong"sv}, place.field(mark)) == 0
              ? Text::Mark::code
              : Text::Mark::strong};
}

Text read_marked(const Json& json, const Place& place) {
  Text text;
  text.spans = read_each(json, place, read_span);
  return text;
}

Table read_table(const Json& json, const Place& place) {
  Fields fields(json, place);
  Table table;
  table.caption = read_words(fields.at("caption"), fields.place("caption"));
  table.headings = read_each(fields.at("headings"), fields.place("headings"), read_words);
  table.rows =
      read_each(fields.at("rows"), fields.place("rows"),
                [](const Json& row, const Place& at) { return read_each(row, at, read_marked); });
  fields.refuse_unknown();
  return table;
}

Chart read_chart(const Json& json, const Place& place) {
  Fields fields(json, place);
  Chart chart;
  chart.title = read_words(fields.at("title"), fields.place("title"));
  chart.x_label = read_words(fields.at("x_label"), fields.place("x_label"));
  chart.lines =
      read_each(fields.at("lines"), fields.place("lines"), [](const Json& line, const Place& at) {
        Fields of_line(line, at);
        Chart::Line read{read_words(of_line.at("name"), of_line.place("name")),
                         of_line.number("x_step"),
                         read_each(of_line.at("values"), of_line.place("values"), read_number)};
        of_line.refuse_unknown();
        return read;
      });
  fields.refuse_unknown();
  return chart;
}

Map read_map(const Json& json, const Place& place) {
  Fields fields(json, place);
  Map map;
  map.device = fields.at("device");
  map.seen = read_words(fields.at("seen"), fields.place("seen"));
  map.predicted = read_words(fields.at("predicted"), fields.place("predicted"));
  map.recordings = fields.at("recordings");
  expect_object(map.device, fields.place("device"));
  expect_array(map.recordings, fields.place("recordings"));
  fields.refuse_unknown();
  return map;
}

Item read_item(const Json& json, const Place& place) {
  expect_object(json, place);
  if (json.size() != 1) place.fail("must be one item");
  const std::string& kind = json.begin().key();
  const Place at = place.field(kind);
  const Json& value = *json.begin();
  switch (
      one_of(kind, std::array{"text"sv, "table"sv, "list"sv, "source"sv, "chart"sv, "map"sv}, at)) {
    case 0:
      return read_marked(value, at);
    case 1:
      return read_table(value, at);
    case 2:
      return List{read_each(value, at, read_marked)};
    case 3: {
      Fields fields(value, at);
      Source source{read_words(fields.at("language"), fields.place("language")),
                    read_words(fields.at("text"), fields.place("text"))};
      fields.refuse_unknown();
      return source;
    }
    case 4:
      return read_chart(value, at);
    default:
      return read_map(value, at);
  }
}

Section read_section(const Json& json, const Place& place) {
  Fields fields(json, place);
  Section section;
  section.title = read_marked(fields.at("title"), fields.place("title"));
  section.level = static_cast<int>(read_integer(fields.at("level"), fields.place("level"), {2, 3}));
  section.items = read_each(fields.at("items"), fields.place("items"), read_item);
  fields.refuse_unknown();
  return section;
}

}  // namespace

nlohmann::ordered_json page_json(const Page& page) {
  Json numbers = Json::array();
  for (const auto& [name, value] : page.numbers) numbers.push_back({name, value});
  Json sections = Json::array();
  for (const Section& section : page.sections) {
    Json items = Json::array();
    for (const Item& item : section.items) items.push_back(std::visit(ItemJson(), item));
    sections.push_back(
        {{"title", json_of(section.title)}, {"level", section.level}, {"items", std::move(items)}});
  }
  return {{"title", json_of(page.title)},
          {"about", json_of(page.about)},
          {"tone", tone_names.at(static_cast<std::size_t>(page.tone))},
          {"verdict", json_of(page.verdict)},
          {"numbers", std::move(numbers)},
          {"sections", std::move(sections)}};
}

Page page_from_json(const nlohmann::ordered_json& json, const std::string& where,
                    const std::string& path) {
  Fields fields(json, Place(where, path));
  Page page;
  page.title = read_marked(fields.at("title"), fields.place("title"));
  page.about = read_marked(fields.at("about"), fields.place("about"));
  page.tone = static_cast<Page::Tone>(one_of(read_words(fields.at("tone"), fields.place("tone")),
                                             tone_names, fields.place("tone")));
  page.verdict = read_marked(fields.at("verdict"), fields.place("verdict"));
  page.numbers = read_each(fields.at("numbers"), fields.place("numbers"),
                           [](const Json& each, const Place& at) {
                             const auto both = read_each(each, at, read_words);
                             if (both.size() != 2) at.fail("must be a name and a value");
                             return std::pair{both[0], both[1]};
                           });
  page.sections = read_each(fields.at("sections"), fields.place("sections"), read_section);
  fields.refuse_unknown();
  return page;
}

}  // namespace cuvier
