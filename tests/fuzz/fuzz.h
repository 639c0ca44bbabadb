#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "probes/error.h"

/// What the fuzz targets share. Each defines LLVMFuzzerTestOneInput, which libFuzzer calls
/// (option CUVIER_FUZZ), or replay.cpp where there is none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace cuvier::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What became of the latest input. libFuzzer goes on from what is refused, too, and is not told.
struct Fate {
  bool taken = false;  ///< by some reader
  std::string refusal;
};
inline Fate fate;

/// A reader takes its input or throws Error. Whatever else it throws is a fault, and ends us.
template <class Call>
int takes_or_refuses(Call call) {
  try {
    call();
    fate.taken = true;
  } catch (const Error& error) {
    fate.refusal = error.what();
  }
  return 0;
}

/// What holds of every input that is taken.
inline void expect(bool holds) {
  if (!holds) std::abort();
}

/// A file in memory, for readers that take a path.
class InputFile {
 public:
  explicit InputFile(std::string_view text) : fd_(::memfd_create("input", MFD_CLOEXEC)) {
    expect(::write(fd_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  ~InputFile() { ::close(fd_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace cuvier::fuzz
