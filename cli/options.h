#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cuvier {

/// The options and arguments of one command, and the one description of them: parsing, --help,
/// completion and the manual all come from CLI11's objects. What several commands have is declared
/// here once; what is about an oracle or a hypothesis, in oracle_argument.h and
/// inputs.h.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  /// An option, "--out DIR", which may be repeated where the value is a vector; or an argument,
  /// "PROBE.json", which is required. What the value is before is its default, but 0 and "".
  template <class Value>
  CLI::Option* add(const std::string& form, Value& value, const std::string& meaning) {
    constexpr bool is_list = std::is_same_v<Value, std::vector<std::string>>;
    CLI::Option* const option = app_.add_option(form.substr(0, form.find(' ')), value, meaning);
    if constexpr (!is_list) {
      if (value != Value()) option->capture_default_str();
    }
    return finished(option, form, is_list);
  }

  /// A whole number, in digits; nothing else is taken for one.
  template <class Number>
  CLI::Option* number(const std::string& form, Number& value, std::uint64_t low, std::uint64_t high,
                      const std::string& meaning) {
    return add(form, value, meaning)->check(whole_number(low, high));
  }

  /// One of these names.
  template <class Value>
  CLI::Option* choice(const std::string& form, Value& value, const std::vector<std::string>& names,
                      const std::string& meaning) {
    return add(form, value, meaning)->check(one_of(names));
  }

  CLI::Option* flag(const std::string& name, bool& value, const std::string& meaning) {
    return app_.add_flag(name, value, meaning);
  }

  /// A file that is written in the end: before the work is done it is seen whether it can be.
  CLI::Option* output(const std::string& form, std::string& path, const std::string& meaning);

  /// --device, with what else there is to say of it.
  CLI::Option* device(std::string& name, const std::string& more = "");
  void json(bool& value, const std::string& meaning = "Print it for programs");
  /// --quiet, of a command that tells what it is doing.
  void progress();
  bool is_quiet() const;
  /// --seed: any whole number of 64 bits.
  void seed(std::uint64_t& value,
            const std::string& meaning =
                "The seed of every random choice; times that are written differ all the same");
  /// --time-limit: a number of seconds above 0, finite.
  CLI::Option* time_limit(double& seconds, const std::string& meaning);
  void time_limit(double& seconds) {
    time_limit(seconds, "End after about so many seconds, with what is known by then");
  }
  /// Seconds likewise, by another name.
  CLI::Option* seconds(const std::string& form, double& value, const std::string& meaning);
  /// -n
  void sequences(int& count, const std::string& meaning);
  /// --trace, of one probe.
  void trace(std::string& path);

  const CLI::App& app() const { return app_; }
  /// Throws Error where what is to be written in the end cannot be, or is read or written
  /// otherwise, too.
  void expect_outputs_writable() const;

 private:
  static CLI::Option* finished(CLI::Option* option, const std::string& form, bool is_list);
  static CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
  static CLI::Validator one_of(const std::vector<std::string>& names);

  void expect_alone(const CLI::Option& output, const std::string& path) const;

  CLI::App& app_;
  std::vector<std::pair<const CLI::Option*, const std::string*>> outputs_;
};

}  // namespace cuvier
