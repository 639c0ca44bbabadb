#pragma once

#include <string_view>

namespace cuvier {

/// Keeps what is opened later off the places of standard input, output and error where one of
/// these is closed. Throws Error if standard output is: nobody would see what is worked out.
void expect_standard_output();

/// Writes to standard output, at once. What cannot be written is remembered, not thrown: what else
/// there is to do is still done.
void print(std::string_view text);

/// Writes a line to standard error. Where that is closed or full nothing else can be told.
void complain(std::string_view message);

/// Throws Error if something was not written, with the first reason.
void expect_all_printed();

}  // namespace cuvier
