#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cuvier {

/// What may be written where --help says DEVICE, say.
struct ArgumentKind {
  std::string type;                ///< what --help calls it, or how that begins
  std::string meaning;             ///< after "DEVICE is"; empty where the option says it
  std::vector<std::string> words;  ///< for shells to complete
};

/// Null where anything may be written, a file as a rule.
const ArgumentKind* kind_of(const CLI::Option& option);

}  // namespace cuvier
