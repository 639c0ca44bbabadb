#pragma once

#include <string>

namespace cuvier {

/// Throws Error if write_file() could not write to the path now: before the work is done.
void expect_writable(const std::string& path);

/// Writes the text to the path: a file whole or not at all, a device or a pipe as it comes. Throws
/// Error.
void write_file(const std::string& path, const std::string& text);

}  // namespace cuvier
