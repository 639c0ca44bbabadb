#include <fmt/format.h>

#include <sstream>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_output.h"

namespace cuvier {
namespace {

/// As it stands: what begins a request of roff's or is its escape is protected.
std::string as_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (safe.empty() || safe.back() == '\n') {
      if (c == '.' || c == '\'') safe += "\\&";
    }
    safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return safe;
}

/// Lines as they were broken.
std::string as_lines(const std::string& text) {
  return text.empty() ? "" : ".nf\n" + as_text(text) + "\n.fi\n";
}

std::string option_entry(const CLI::Option& option) {
  std::string head = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  if (!option.get_type_name().empty()) head += ' ' + option.get_type_name();
  return fmt::format(".TP\n\\fB{}\\fR\n{}{}\n", as_text(head), as_text(option.get_description()),
                     option.get_required() ? " (required)" : "");
}

std::string command_section(const CLI::App& command) {
  std::string text = fmt::format(".SS cuvier {}\n{}\n", as_text(command.get_name()),
                                 as_text(command.get_description()));
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) text += option_entry(*option);
  }
  return text + ".PP\n" + as_lines(command.get_footer());
}

std::string manual_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH CUVIER 1\n.SH NAME\ncuvier \\- infers from outside how a GPU schedules thread blocks\n"
      ".SH SYNOPSIS\n\\fBcuvier\\fR COMMAND [OPTION...]\n.SH DESCRIPTION\n{}.SH COMMANDS\n",
      as_lines(app.get_description()));
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) text += command_section(*command);
  }
  return text + ".SH EXAMPLES AND EXIT CODES\n" + as_lines(app.get_footer());
}

}  // namespace

Run declare_manual(CLI::App& app) {
  app.footer("Example:\n  cuvier manual > ~/.local/share/man/man1/cuvier.1");
  return [&app] {
    print(manual_page(*app.get_parent()));
    return exit_done;
  };
}

}  // namespace cuvier
