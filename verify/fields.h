#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace cuvier::verify {

using Json = nlohmann::ordered_json;

/// A file that does not say what it should: its name, the place in it, and what is wrong there.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text as JSON. Throws Unreadable: also where an object has a field twice, of which readers
/// would take one or the other, and where it nests deeper than any file of ours.
Json parse_json(const std::string& text, const std::string& where);
/// The whole file. Throws Unreadable.
std::string read_file(const std::string& path);

/// A value in a file, and where it stands. What an object has must all be read. Everything throws
/// Unreadable with that place and what must be there.
class Field {
 public:
  /// The JSON must outlive it.
  Field(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  const Json& json() const { return *json_; }
  /// A field of an object; none: it is missing.
  std::optional<Field> find(const std::string& name);
  Field at(const std::string& name);
  /// Throws if the object has a field that was not read.
  void nothing_else() const;

  /// Of no number: those come as what they are not, too.
  template <class T>
  T get() const {
    try {
      return json_->get<T>();
    } catch (const Json::exception&) {
      fail(std::string("must be something else than a value of type ") + json_->type_name());
    }
  }
  /// A whole number, and no 3.0.
  int number(long least, long most) const;
  std::vector<Field> list() const;
  std::vector<int> numbers(long least, long most) const;

  [[noreturn]] void fail(const std::string& what) const { throw Unreadable(where_ + ": " + what); }

 private:
  const Json* json_;
  std::string where_;
  std::set<std::string> read_;
};

}  // namespace cuvier::verify
