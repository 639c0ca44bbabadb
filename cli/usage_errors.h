#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace cuvier {

/// A command as it is typed: "fleet report", which CLI11 knows as fleet-report.
std::string as_typed(std::string_view command);

/// What CLI11 found wrong with the options of a command, in words of ours.
std::string usage_error(const CLI::App& command, const CLI::ParseError& error);

}  // namespace cuvier
