#include "cli/usage_errors.h"

#include <fmt/format.h>

#include "probes/json_fields.h"

namespace cuvier {

std::string as_typed(std::string_view command) {
  constexpr std::string_view first = "fleet-";
  if (!command.starts_with(first)) return std::string(command);
  return fmt::format("fleet {}", command.substr(first.size()));
}

std::string usage_error(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();
  // It names the option first, and a flag that was given a value, behind "Could not convert: ".
  const bool is_conversion = dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
  const std::size_t begin = is_conversion ? text.find(": ") + 2 : 0;
  const std::string name = text.substr(begin, text.find_first_of(": ", begin) - begin);
  const CLI::Option* const option = command.get_option_no_throw(name);
  if (option == nullptr) return one_line(text);
  const int least = option->get_items_expected_min();
  const int most = option->get_items_expected_max();
  if (is_conversion && most == 0) return name + " takes no value";
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    return one_line(text) + ": leave one of them out";
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return one_line(text);
  const int given = static_cast<int>(option->count());
  if (given > most && most == 1)
    return fmt::format("{}: given {} times; once is enough", name, given);
  if (least == 1) return fmt::format("{}: its value is missing", name);
  return fmt::format("{}: takes {} values, not {}", name, least, given);
}

}  // namespace cuvier
