#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuvier {

/// From here on, Ctrl-C and SIGTERM ask to end in order; a second one ends the process.
void end_on_interrupt();

/// Whether that was asked for.
bool interrupted();

/// Keeps what is opened later off the places of standard input, output and error where one of
/// these is closed. Throws Error if standard output is: nobody would see what is worked out.
void expect_standard_output();

/// Writes to standard output, at once. What cannot be written is remembered, not thrown: what else
/// there is to do is still done.
void print(std::string_view text);

/// Writes a line to standard error. Where that is closed or full nothing else can be told.
void complain(std::string_view message);
template <class First, class... Rest>
void complain(fmt::format_string<First, Rest...> words, First&& first, Rest&&... rest) {
  complain(fmt::format(words, std::forward<First>(first), std::forward<Rest>(rest)...));
}

/// Throws Error if something was not written, with the first reason.
void expect_all_printed();

/// Whether a program can be run: by its path, or found on the PATH by its name.
bool is_installed(const std::string& program);

/// The text as one word of a shell.
std::string in_shell_quotes(const std::string& text);

/// What a program with these arguments prints. Throws Error where it cannot be run or fails.
std::string output_of(const std::vector<std::string>& words);

}  // namespace cuvier
