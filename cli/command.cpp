#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/oracle_argument.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"

namespace cuvier {
namespace {

/// "  10  when\n", in lines of 90 columns.
std::string exit_lines(const Exit& exit) {
  constexpr std::size_t width = 90;
  std::string text;
  std::string line = fmt::format("  {:>2} ", static_cast<int>(exit.code));
  std::istringstream words(exit.when);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > width) {
      text += line + '\n';
      line = "     ";
    }
    line += ' ' + word;
  }
  return text + line + '\n';
}

std::string exit_codes(std::vector<Exit> exits, bool asks_an_oracle) {
  if (std::ranges::find(exits, exit_done, &Exit::code) == exits.end()) {
    exits.push_back({exit_done, "done"});
  }
  exits.push_back({exit_bad_input, "bad usage or input, or output that cannot be written"});
  if (asks_an_oracle) exits.push_back({exit_oracle_failed, "the oracle failed"});
  std::ranges::sort(exits, {}, &Exit::code);
  std::string text = "Exit codes:\n";
  for (const Exit& exit : exits) text += exit_lines(exit);
  text.pop_back();
  return text;
}

using Words = std::vector<std::string>;

Words device_names() {
  Words words;
  for (const DeviceFile& file : known_devices()) words.push_back(file.name);
  return words;
}

Words hypothesis_names() {
  Words words;
  for (const NamedHypothesis& named : named_hypotheses()) words.emplace_back(named.name);
  return words;
}

Words assumptions() {
  Words words;
  for (int axis = 0; axis < kAxes; ++axis) {
    for (const AxisValue& value : axis_info(axis).values) {
      words.push_back(fmt::format("{}={}", axis_info(axis).name, value.name));
    }
  }
  std::ranges::copy(hypothesis_names(), std::back_inserter(words));
  return words;
}

Words oracles() {
  Words words = {"gpu", "exec:", "recording:"};
  for (const std::string& device : device_names()) words.push_back("sim:" + device);
  return words;
}

const std::string hypothesis_meaning =
    "a model file (*.json), a hypothesis that `cuvier axes` names, or\n"
    "AXIS=VALUE,... (the rest Algorithm 1's).";

}  // namespace

std::string footer(const CLI::App& app, const Command& command) {
  std::string text = command.about.empty() ? "" : command.about + "\n\n";
  bool asks_an_oracle = false;
  std::vector<std::string> told;
  for (const CLI::Option* const option : app.get_options()) {
    const ArgumentKind* const kind = kind_of(*option);
    if (kind == nullptr || kind->meaning.empty()) continue;
    asks_an_oracle = asks_an_oracle || kind->type == "ORACLE";
    if (std::ranges::find(told, kind->meaning) != told.end()) continue;
    told.push_back(kind->meaning);
    text += fmt::format("{} is {}\n\n", kind->type, kind->meaning);
  }
  if (!command.examples.empty()) text += "Examples:\n" + command.examples + "\n\n";
  return text + exit_codes(command.exits, asks_an_oracle);
}

const ArgumentKind* kind_of(const CLI::Option& option) {
  static const std::vector<ArgumentKind> kinds = {
      {"DEVICE", "", device_names()},
      {"AXIS=VALUE", "", assumptions()},
      {"HYPOTHESIS", hypothesis_meaning, hypothesis_names()},
      {"MODEL", hypothesis_meaning, hypothesis_names()},
      {"ORACLE", oracle_meaning(), oracles()},
  };
  const std::string type = option.get_type_name().empty() && option.get_positional()
                               ? option.get_name(true)
                               : option.get_type_name();
  const auto kind = std::ranges::find_if(
      kinds, [&](const ArgumentKind& each) { return type.starts_with(each.type); });
  return kind == kinds.end() ? nullptr : &*kind;
}

}  // namespace cuvier
