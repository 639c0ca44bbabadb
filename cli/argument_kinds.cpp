#include "cli/argument_kinds.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/oracle_argument.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"

namespace cuvier {
namespace {

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
