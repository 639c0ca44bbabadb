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
/// would take one or the other.
Json parse_json(const std::string& text, const std::string& where);
/// The whole file. Throws Unreadable.
std::string read_file(const std::string& path);

/// An integer, and no 3.0; or a list of them. Throws Unreadable.
int integer_in(const Json& json, long least, long most, const std::string& where);
std::vector<int> integers_in(const Json& json, long least, long most, const std::string& where);

/// The fields of an object, each of which must be read. Everything throws Unreadable with file,
/// field and what it must be.
class Fields {
 public:
  Fields(const Json& object, std::string where);

  const Json* find(const std::string& name);
  const Json& at(const std::string& name);
  /// Of no number: those come as what they are not, too.
  template <class T>
  T get(const std::string& name) {
    try {
      return at(name).get<T>();
    } catch (const Json::exception& error) {
      fail(name, error.what());
    }
  }
  template <class T>
  T get(const std::string& name, const T& missing) {
    return find(name) ? get<T>(name) : missing;
  }
  int integer(const std::string& name, long least, long most, std::optional<int> missing = {});
  std::vector<int> integers(const std::string& name, long least, long most);
  /// A list; each with its place in the file.
  std::vector<std::pair<const Json&, std::string>> list(const std::string& name);
  std::string place(const std::string& name) const { return where_ + ": " + name; }

  /// Throws if the object has a field that was not read.
  void nothing_else() const;

  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw Unreadable(place(name) + ": " + what);
  }

 private:
  const Json& object_;
  std::string where_;
  std::set<std::string> read_;
};

}  // namespace cuvier::verify
