#pragma once

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "probes/number_in.h"

namespace cuvier {

/// The command line of a benchmark: "--name value" for each name that it has, and --help. Ends the
/// program, with one line, where it is not what is asked for.
class Options {
 public:
  struct Option {
    std::string name;
    std::string value;  ///< unless the command line says otherwise
    std::string meaning;
  };

  Options(int argc, char** argv, const std::string& meaning, const std::vector<Option>& options) {
    CLI::App app(meaning);
    app.option_defaults()->take_last();
    for (const Option& option : options) {
      std::string& value = values_[option.name] = option.value;
      app.add_option(option.name, value, option.meaning)->capture_default_str();
    }
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      fmt::print("{}", app.help());
      std::exit(0);
    } catch (const CLI::ParseError& error) {
      fmt::print(stderr, "{}\n", error.what());
      std::exit(2);
    }
  }

  const std::string& text(const std::string& name) const { return values_.at(name); }
  int number(const std::string& name) const { return number_from(name, text(name)); }

  /// The parts between commas.
  std::vector<std::string> list(const std::string& name) const {
    std::vector<std::string> parts;
    std::istringstream stream(text(name));
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    return parts;
  }
  /// Such parts as whole numbers, up to `most`.
  std::vector<int> numbers(const std::string& name,
                           int most = std::numeric_limits<int>::max()) const {
    std::vector<int> numbers;
    for (const std::string& part : list(name)) numbers.push_back(number_from(name, part, most));
    return numbers;
  }

  /// Of what takes long, where the options have --only and --shard.
  static Option shard() {
    return {"--shard", "1/1", "I/N: every N-th alone, from the I-th on; see bench/shards.py"};
  }

  /// Which of so many pieces are to be done, whose rows follow: those that --only lists, or all; of
  /// these the shard's, after a line by which bench/shards.py puts rows together.
  std::vector<int> begin_pieces(int count) const {
    const std::vector<int> only = numbers("--only", count - 1);
    std::vector<int> all;
    for (int i = 0; i < count; ++i) {
      if (only.empty() || std::ranges::count(only, i) > 0) all.push_back(i);
    }
    const std::string& shard = text("--shard");
    int part = 0, parts = 0, read = 0;
    std::sscanf(shard.c_str(), "%d/%d%n", &part, &parts, &read);
    if (read != std::ssize(shard) || part < 1 || part > parts ||
        parts > std::max<int>(1, std::ssize(all))) {
      fmt::print(stderr, "--shard {}: not I/N, such as 3/8, with I from 1 to N and N at most {}\n",
                 shard, all.size());
      std::exit(2);
    }
    if (parts > 1) fmt::print("shard {} of {}\n", shard, all.size());
    std::vector<int> mine;
    for (int i = part - 1; i < std::ssize(all); i += parts) mine.push_back(all[i]);
    return mine;
  }

 private:
  static int number_from(const std::string& name, const std::string& text,
                         int most = std::numeric_limits<int>::max()) {
    const auto number = number_in<int>(text);
    if (number && *number >= 0 && *number <= most) return *number;
    fmt::print(stderr, "{} {}: must be a whole number from 0 to {}\n", name, text, most);
    std::exit(2);
  }

  std::map<std::string, std::string> values_;
};

/// What a process took.
struct ProcessUsage {
  double cpu_seconds = 0;
  double peak_mib = 0;
};

/// Runs it in a process of its own, so that its peak of memory is its own.
/// Ends this program if that one failed.
inline ProcessUsage usage_of(const std::function<void()>& run) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    run();
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child || status != 0) {
    fmt::print(stderr, "a run failed (status {})\n", status);
    std::exit(1);
  }
  return {static_cast<double>(usage.ru_utime.tv_sec) + usage.ru_utime.tv_usec * 1e-6,
          static_cast<double>(usage.ru_maxrss) / 1024};
}

}  // namespace cuvier
