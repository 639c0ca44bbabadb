#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probes/mapped.h"

namespace cuvier {

using Json = nlohmann::ordered_json;

/// A place in a JSON document: what the messages about it start with
/// ("rtx.jsonl:3: kernels.k1.threads").
class Place {
 public:
  explicit Place(std::string where, std::string path = {})
      : where_(std::move(where)), path_(std::move(path)) {}

  Place field(std::string_view name) const;
  Place item(std::size_t index) const;

  /// Throws Error: this place, then what is wrong with it.
  [[noreturn]] void fail(const std::string& what) const;
  template <class First, class... Rest>
  [[noreturn]] void fail(fmt::format_string<First, Rest...> words, First&& first,
                         Rest&&... rest) const {
    fail(fmt::format(words, std::forward<First>(first), std::forward<Rest>(rest)...));
  }

  const std::string& where() const { return where_; }
  const std::string& path() const { return path_; }

 private:
  std::string where_;
  std::string path_;
};

/// No number in our formats is larger, nor is the sum of a probe's blocks: twice as much stays
/// within an int.
inline constexpr std::int64_t largest_number = 1'000'000'000;

struct Range {
  std::int64_t low = 0;
  std::int64_t high = largest_number;
};

// Each fails at `place` unless the value has the type and range.
std::int64_t read_integer(const Json& json, const Place& place, Range range);
double read_number(const Json& json, const Place& place);
bool read_boolean(const Json& json, const Place& place);
std::string read_text(const Json& json, const Place& place);  ///< not empty
std::vector<int> read_integers(const Json& json, const Place& place, Range range);
void expect_array(const Json& json, const Place& place);
void expect_object(const Json& json, const Place& place);

/// The fields of one JSON object. What is asked for is known: the rest is refused.
class Fields {
 public:
  Fields(const Json& json, Place place);

  const Place& place() const { return place_; }
  Place place(std::string_view name) const { return place_.field(name); }

  bool has(std::string_view name);
  const Json& at(std::string_view name);  ///< fails where it is missing

  int integer(std::string_view name, Range range);
  int integer(std::string_view name, Range range, int fallback);
  std::string text(std::string_view name);

  /// Fails if there is a field that nobody asked for.
  void refuse_unknown() const;

 private:
  [[noreturn]] void fail_missing(std::string_view name) const;

  const Json& json_;
  Place place_;
  std::vector<std::string_view> known_;
};

/// For messages, of a whole file: " (this looks like a model)". Empty where it looks like nothing.
std::string looks_like(const Json& json);
/// Likewise of its text; none where that is no JSON.
std::optional<std::string> looks_like(std::string_view text);

/// For messages: the text in quotes, on one line, cut where it is very long.
std::string in_quotes(std::string_view text);

/// For messages: somebody else's words on one line of UTF-8, cut where they are very long.
std::string one_line(std::string_view text);

/// Throws Error with line and column, also for a name that an object has twice.
Json parse_json(std::string_view text, const std::string& where);

/// The whole file; Error if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace cuvier
