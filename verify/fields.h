#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cuvier::verify {

using Json = nlohmann::ordered_json;

/// The text as JSON. Throws Unreadable: also where an object has a field twice, of which readers
/// would take one or the other.
Json parse_json(const std::string& text, const std::string& where);
/// The whole file. Throws Unreadable.
std::string read_file(const std::string& path);

/// The fields of an object, each of which must be read. Everything throws Unreadable with file,
/// field and what it must be.
class Fields {
 public:
  Fields(const Json& object, std::string where);

  const Json& at(const std::string& name);
  const Json* find(const std::string& name);
  long integer(const std::string& name, long least, long most, std::optional<long> missing = {});
  std::string text(const std::string& name);
  bool boolean(const std::string& name, std::optional<bool> missing = {});
  std::vector<int> integers(const std::string& name, long least, long most);
  std::string place(const std::string& name) const { return where_ + ": " + name; }

  /// Throws if the object has a field that was not read.
  void nothing_else() const;

  [[noreturn]] void fail(const std::string& name, const std::string& what) const;

 private:
  const Json& object_;
  std::string where_;
  std::set<std::string> read_;
};

/// An integer, and no 3.0. Throws Unreadable.
long integer_in(const Json& json, long least, long most, const std::string& where);
std::vector<int> integers_in(const Json& json, long least, long most, const std::string& where);

}  // namespace cuvier::verify
