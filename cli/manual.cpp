#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "cli/command.h"
#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "probes/schemas.h"
#include "reports/document/write_file.h"
#include "reports/inference/decisions.h"
#include "uses/kernel_set.h"
#include "uses/simulate/workload.h"

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

/// Those whose fields are a table (probes/format.h).
struct FileFormat {
  const char* name;
  const char* title;
  const char* description;
  Json (*schema)();
};

constexpr FileFormat formats[] = {
    {"decisions", "Decisions, version 1",
     "decisions.json of an inference: why each probe was asked, and what it told. Reports are "
     "made of it; nothing that is claimed rests on it.",
     decisions_schema},
    {"device", "A device, version 1",
     "The documented facts of a GPU (docs/scheduler.md, section 1). What a schema cannot say: "
     "sizes ascend, and maps have an entry for each SM, below their number.",
     device_file_schema},
    {"kernels", "Kernels, version 1", "What fits and order take (docs/fits.md).", kernels_schema},
    {"probe", "A probe, version 1",
     "Kernels, and a script of launches and releases (docs/oracle-protocol.md). What a schema "
     "cannot say: names resolve, each kernel is launched at most once and released only after "
     "that.",
     probe_schema},
    {"recordings-line", "A line of recordings, version 1",
     "A .jsonl file has such an object in each line, the first of type \"device\" and no other "
     "of that type (docs/oracle-protocol.md). A recording and an opening may have fields of "
     "their own: journals keep the whole observation and why a probe was asked.",
     recordings_line_schema},
    {"workload", "A workload, version 1",
     "What simulate takes (docs/simulate.md): kernels with when they come and how long a block "
     "runs.",
     workload_schema},
};

/// Its JSON Schema, as docs/schemas has it.
std::string schema_text(const FileFormat& format) {
  Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
               {"title", format.title},
               {"description", format.description}};
  json.update(format.schema());
  return json.dump(1) + '\n';
}

struct Arguments {
  const CLI::App* all = nullptr;
  bool markdown = false;
  std::string schemas;
};

int write_manual(const Arguments& arguments, Terminal& terminal) {
  if (!arguments.schemas.empty()) {
    for (const FileFormat& format : formats) {
      const std::string name = std::string(format.name) + ".schema.json";
      write_file((std::filesystem::path(arguments.schemas) / name).string(), schema_text(format));
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
