#include <fmt/format.h>

#include <set>

#include "cli/command.h"

namespace cuvier {
namespace {

using Words = std::vector<std::string>;

/// What can be written for an argument; none: a file.
Words words_for(const CLI::Option& option) {
  const ArgumentKind* const kind = kind_of(option);
  return kind ? kind->words : Words();
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The option as it is typed; empty for a positional argument.
std::string typed(const CLI::Option& option) {
  return option.get_lnames().empty() ? "" : "--" + option.get_lnames().front();
}

std::string bash(const CLI::App& app) {
  Words names;
  std::string values;
  std::string options;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    Words flags;
    std::set<std::string> positional;
    for (const CLI::Option* option : command->get_options()) {
      const std::string name = typed(*option);
      const Words words = words_for(*option);
      if (name.empty()) {
        positional.insert(words.begin(), words.end());
        continue;
      }
      flags.push_back(name);
      if (!takes_value(*option)) continue;
      values += fmt::format("    {}:{}) words='{}' ;;\n", command->get_name(), name,
                            fmt::join(words, " "));
    }
    options += fmt::format("    {}) options='{}' positional='{}' ;;\n", command->get_name(),
                           fmt::join(flags, " "), fmt::join(positional, " "));
  }
  return fmt::format(
      R"(# bash completion for cuvier, written by `cuvier completion bash`
_cuvier() {{
  local line=${{COMP_LINE:0:COMP_POINT}}
  local typed=(${{line}})
  [[ $line == *[[:space:]] ]] && typed+=('')
  local count=${{#typed[@]}}
  local current=${{typed[count-1]}} before=${{typed[count-2]}} command=${{typed[1]}}
  local words='' options='' positional=''
  if ((count == 2)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$current"))
    return
  fi
  case $command:$before in
{}    *)
      case $command in
{}      esac
      words=$positional
      [[ $current == -* ]] && words=$options
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -z $words ]] && COMPREPLY=($(compgen -f -- "$current"))
  # The shell's words end at = and :, ours do not.
  local head=${{current%"${{current##*[=:]}}"}}
  COMPREPLY=("${{COMPREPLY[@]#"$head"}}")
  [[ ${{COMPREPLY[*]}} == *: ]] && compopt -o nospace 2>/dev/null
  return 0
}}
complete -F _cuvier cuvier
)",
      fmt::join(names, " "), values, options);
}

/// By way of bash's.
std::string zsh(const CLI::App& app) {
  return "#compdef cuvier\nautoload -U +X bashcompinit && bashcompinit\n" + bash(app);
}

/// In single quotes.
std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return safe + "'";
}

std::string fish(const CLI::App& app) {
  std::string text = "# fish completion for cuvier, written by `cuvier completion fish`\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    text += fmt::format("complete -c cuvier -n __fish_use_subcommand -f -a {} -d {}\n",
                        command->get_name(), quoted(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      const std::string name = typed(*option);
      const Words words = words_for(*option);
      if (name.empty() && words.empty()) continue;
      text += fmt::format("complete -c cuvier -n '__fish_seen_subcommand_from {}'",
                          command->get_name());
      if (!name.empty())
        text += fmt::format(" -l {} -d {}", name.substr(2), quoted(option->get_description()));
      if (!name.empty() && takes_value(*option)) text += words.empty() ? " -r -F" : " -x";
      if (!words.empty())
        text += fmt::format(" -a {}", quoted(fmt::format("{}", fmt::join(words, " "))));
      text += '\n';
    }
  }
  return text;
}

struct CompletionArguments {
  std::string shell;
  const CLI::App* all = nullptr;
};

int write_completions(const CompletionArguments& arguments, Terminal& terminal) {
  const auto write = arguments.shell == "bash" ? bash : arguments.shell == "fish" ? fish : zsh;
  terminal.print(write(*arguments.all));
  return exit_done;
}

void declare_completion(Options& options, CompletionArguments& arguments) {
  options.choice("SHELL", arguments.shell, {"bash", "fish", "zsh"}, "bash, fish or zsh");
  arguments.all = options.app().get_parent();
}

}  // namespace

Command completion_command() {
  return {"completion",
          "What a shell needs to complete commands",
          "Writes them to standard output.",
          R"(  cuvier completion bash > ~/.local/share/bash-completion/completions/cuvier
  cuvier completion fish > ~/.config/fish/completions/cuvier.fish
  cuvier completion zsh > ~/.zfunc/_cuvier    (a folder of $fpath))",
          {},
          with(declare_completion, write_completions)};
}

}  // namespace cuvier
