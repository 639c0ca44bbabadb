#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_output.h"
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

Words axis_values() {
  Words words;
  for (int axis = 0; axis < kAxes; ++axis) {
    for (const AxisValue& value : axis_info(axis).values) {
      words.push_back(fmt::format("{}={}", axis_info(axis).name, value.name));
    }
  }
  return words;
}

/// What can be written for an argument, by what its help calls it; none: a file.
Words words_for(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto is_about = [&](const char* name) {
    return type.find(name) != std::string::npos || option.get_name().find(name) == 0;
  };
  if (is_about("DEVICE")) return device_names();
  if (is_about("AXIS=VALUE")) {
    Words words = axis_values();
    std::ranges::copy(hypothesis_names(), std::back_inserter(words));
    return words;
  }
  if (is_about("HYPOTHESIS") || type == "MODEL" || type == "A B") return hypothesis_names();
  if (is_about("ORACLE")) {
    Words words = {"gpu", "exec:", "recording:"};
    for (const std::string& device : device_names()) words.push_back("sim:" + device);
    return words;
  }
  return {};
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The option as it is typed; empty for a positional argument.
std::string typed(const CLI::Option& option) {
  return option.get_lnames().empty() ? "" : "--" + option.get_lnames().front();
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::string bash(const CLI::App& app) {
  Words names;
  std::string values;
  std::string options;
  for (const CLI::App* command : shown_commands(app)) {
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
  for (const CLI::App* command : shown_commands(app)) {
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

}  // namespace

Run declare_completion(CLI::App& app) {
  app.footer(
      "Examples:\n"
      "  cuvier completion bash > ~/.local/share/bash-completion/completions/cuvier\n"
      "  cuvier completion fish > ~/.config/fish/completions/cuvier.fish\n"
      "  cuvier completion zsh > ~/.zfunc/_cuvier    (a folder of $fpath)");
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, fish or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "zsh"}))
      ->type_name("");
  return [&app, shell] {
    const CLI::App& all = *app.get_parent();
    print(*shell == "bash" ? bash(all) : *shell == "fish" ? fish(all) : zsh(all));
    return exit_done;
  };
}

}  // namespace cuvier
