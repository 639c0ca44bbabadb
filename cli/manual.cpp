#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "cli/command.h"
#include "cli/schema_files.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

/// "--out DIR", or an argument's name.
std::string form(const CLI::Option& option) {
  const std::string name =
      option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  return option.get_type_name().empty() ? name : name + ' ' + option.get_type_name();
}

/// What --help says of it beside its name.
std::string meaning(const CLI::Option& option) {
  std::string text = option.get_description();
  if (option.get_required()) text += " (required)";
  if (!option.get_default_str().empty()) {
    text += fmt::format(" ({} unless given)", option.get_default_str());
  }
  std::set<std::string> excluded;
  for (const CLI::Option* const other : option.get_excludes()) excluded.insert(other->get_name());
  return excluded.empty() ? text : fmt::format("{} (not with {})", text, fmt::join(excluded, ", "));
}

/// All but --help.
std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options(
      [&](const CLI::Option* option) { return option != command.get_help_ptr(); });
}

/// As it stands: what begins a request of roff's or is its escape is protected.
std::string roff(const std::string& text) {
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
std::string roff_lines(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::string roff_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH CUVIER 1\n.SH NAME\ncuvier \\- infers from outside how a GPU schedules thread blocks\n"
      ".SH SYNOPSIS\n\\fBcuvier\\fR COMMAND [OPTION...]\n.SH DESCRIPTION\n{}.SH COMMANDS\n",
      roff_lines(app.get_description()));
  for (const CLI::App* const command : app.get_subcommands({})) {
    text += fmt::format(".SS cuvier {}\n{}\n", roff(command->get_name()),
                        roff(command->get_description()));
    for (const CLI::Option* const option : options_of(*command)) {
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(form(*option)), roff(meaning(*option)));
    }
    text += ".PP\n" + roff_lines(command->get_footer());
  }
  return text + ".SH EXAMPLES AND EXIT CODES\n" + roff_lines(app.get_footer());
}

std::string markdown_lines(const std::string& text) { return "\n```text\n" + text + "\n```\n"; }

std::string markdown_page(const CLI::App& app) {
  std::string text = "# What `cuvier` takes\n\nWritten by `cuvier manual --markdown`.\n" +
                     markdown_lines(app.get_description() + "\n\n" + app.get_footer());
  for (const CLI::App* const command : app.get_subcommands({})) {
    text +=
        fmt::format("\n## cuvier {}\n\n{}\n\n", command->get_name(), command->get_description());
    for (const CLI::Option* const option : options_of(*command)) {
      text += fmt::format("- `{}`: {}\n", form(*option), meaning(*option));
    }
    text += markdown_lines(command->get_footer());
  }
  return text;
}

struct Arguments {
  const CLI::App* all = nullptr;
  bool markdown = false;
  std::string schemas;
};

int write_manual(const Arguments& arguments, Terminal& terminal) {
  if (!arguments.schemas.empty()) {
    for (const auto& [name, text] : schema_files()) {
      write_file((std::filesystem::path(arguments.schemas) / name).string(), text);
    }
    return exit_done;
  }
  terminal.print(arguments.markdown ? markdown_page(*arguments.all) : roff_page(*arguments.all));
  return exit_done;
}

void declare(Options& options, Arguments& arguments) {
  options.flag("--markdown", arguments.markdown, "As docs/manual.md instead");
  options.add("--schemas DIR", arguments.schemas,
              "Write the JSON Schemas of file formats into a folder instead");
  arguments.all = options.app().get_parent();
}

}  // namespace

Command manual_command() {
  return {"manual",
          "All of --help as a manual page",
          "Writes it to standard output.",
          "  cuvier manual > ~/.local/share/man/man1/cuvier.1",
          {},
          with(declare, write_manual)};
}

}  // namespace cuvier
