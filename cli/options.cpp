#include "cli/options.h"

#include <fmt/format.h>

#include <cmath>

#include "probes/json_fields.h"
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

CLI::Option* Options::output(const std::string& form, std::string& path,
                             const std::string& meaning) {
  outputs_.push_back(&path);
  return add(form, path, meaning);
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
  for (const std::string* const path : outputs_) {
    if (!path->empty()) expect_writable(*path);
  }
}

}  // namespace cuvier
