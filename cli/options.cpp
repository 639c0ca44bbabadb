#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "probes/an_error.h"
#include "probes/json_fields.h"
#include "probes/nearest_name.h"
#include "probes/number_in.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

/// Without a name of its own in help texts, which say what the option is.
template <class Check>
CLI::Validator saying(const std::string& what, Check check) {
  return CLI::Validator(
      [what, check](std::string& text) -> std::string {
        return check(text) ? "" : fmt::format("{} is no {}", in_quotes(text), what);
      },
      "");
}

/// Whether the value is that file, or names it behind something else, or before
/// ("sim:four.json,bfa").
bool names_file(const std::string& value, const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none)) {
    return false;  // /dev/null may be given twice
  }
  const std::string path = value.substr(0, value.find(','));
  for (const std::size_t begin : {std::size_t{0}, path.find(':') + 1}) {
    const std::filesystem::path named = path.substr(begin);
    if (std::filesystem::equivalent(named, file, none) ||
        (!named.empty() && std::filesystem::weakly_canonical(named, none) ==
                               std::filesystem::weakly_canonical(file, none))) {
      return true;
    }
  }
  return false;
}

}  // namespace

CLI::Option* Options::finished(CLI::Option* option, const std::string& form, bool is_list) {
  const std::size_t space = form.find(' ');
  option->type_name(space == std::string::npos ? "" : form.substr(space + 1));
  if (option->get_positional()) return option->required();
  return is_list ? option->allow_extra_args(false) : option;
}

CLI::Validator Options::whole_number(std::uint64_t low, std::uint64_t high) {
  return saying(fmt::format("whole number from {} to {}", low, high),
                [low, high](const std::string& text) {
                  const auto number = number_in<std::uint64_t>(text);
                  return number && low <= *number && *number <= high;
                });
}

CLI::Validator Options::one_of(const std::vector<std::string>& names) {
  return CLI::Validator(
      [names](const std::string& text) -> std::string {
        if (std::ranges::find(names, text) != names.end()) return "";
        return fmt::format("{} is none of {}",
                           in_quotes_with_hint(text, {names.begin(), names.end()}),
                           fmt::join(names, ", "));
      },
      fmt::format("{{{}}}", fmt::join(names, ",")));
}

CLI::Option* Options::output(const std::string& form, std::string& path,
                             const std::string& meaning) {
  CLI::Option* const option = add(form, path, meaning);
  outputs_.emplace_back(option, &path);
  return option;
}

CLI::Option* Options::device(std::string& name, const std::string& more) {
  return add("--device DEVICE", name, "A name that `cuvier devices` lists, or a .json file" + more);
}

void Options::json(bool& value, const std::string& meaning) { flag("--json", value, meaning); }

void Options::progress() {
  app_.add_flag("--quiet")->description(
      "No progress: neither what is being done, nor which probes were asked");
}

bool Options::is_quiet() const {
  const CLI::Option* const quiet = app_.get_option_no_throw("--quiet");
  return quiet != nullptr && quiet->count() > 0;
}

void Options::seed(std::uint64_t& value, const std::string& meaning) {
  number("--seed S", value, 0, UINT64_MAX, meaning);
}

CLI::Option* Options::time_limit(double& value, const std::string& meaning) {
  return seconds("--time-limit S", value, meaning);
}

CLI::Option* Options::seconds(const std::string& form, double& value, const std::string& meaning) {
  return add(form, value, meaning)
      ->check(saying("number of seconds above 0", [](const std::string& text) {
        const auto number = number_in<double>(text);
        return number && *number > 0 && std::isfinite(*number);
      }));
}

void Options::sequences(int& count, const std::string& meaning) {
  number("-n N", count, 1, 10'000'000, meaning);
}

void Options::trace(std::string& path) {
  output("--trace FILE", path,
         "Also write it as Chrome trace events, which ui.perfetto.dev opens, to this file");
}

void Options::expect_outputs_writable() const {
  for (const auto& [option, path] : outputs_) {
    if (!path->empty()) expect_alone(*option, *path);
  }
  for (const auto& [option, path] : outputs_) {
    if (!path->empty()) expect_writable(*path);
  }
}

void Options::expect_alone(const CLI::Option& output, const std::string& path) const {
  for (const CLI::Option* const other : app_.get_options()) {
    if (other == &output) continue;
    for (const std::string& value : other->results()) {
      if (!names_file(value, path)) continue;
      throw an_error("{}: {} is {}, too; name another file", output.get_name(), in_quotes(path),
                     other->get_name());
    }
  }
}

}  // namespace cuvier
