// Stands in for libFuzzer: TARGET MUTATIONS FILE...: gives the target every file, and then as many
// seeded mutations of them. It is to take each file, but for those called refused_..., which it is
// to refuse. Where it dies or hangs, the input is in TARGET-fault.

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "probes/family.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"

namespace cuvier::fuzz {
namespace {

constexpr unsigned longest_run_s = 20;

std::string current;  // input
const std::string fault_file = std::string(program_invocation_short_name) + "-fault";
const std::string is_kept = "the input is in " + fault_file + '\n';
const std::string is_lost = "the input is lost\n";

/// Keeps the input for whoever looks for the fault.
extern "C" void keep_input(int signal) {
  const int fd = ::open(fault_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const ssize_t kept = ::write(fd, current.data(), current.size());
  const std::string& message = kept < 0 ? is_lost : is_kept;
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, message.data(), message.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void give(const std::string& input) {
  current = input;
  fate = {};
  ::alarm(longest_run_s);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
  ::alarm(0);
}

int below(Rng& rng, std::size_t size) { return uniform(rng, 0, static_cast<int>(size) - 1); }

/// Words that change what a text means.
constexpr std::array<std::string_view, 16> words = {
    "0",    "-1",   "1",       "2147483648", "1e9",  "18446744073709551616",
    "null", "true", "{}",      "[]",         "\"\"", "\xff",
    ",",    "\n",   "\\u0000", "0.5"};

void mutate(std::string& text, const std::vector<std::string>& seeds, Rng& rng) {
  const std::string& other = seeds[below(rng, seeds.size())];
  const int at = below(rng, text.size() + 1);
  const int length = std::min(below(rng, text.size() + 1 - at), 1 + below(rng, 64));
  switch (uniform(rng, 0, 5)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, text.substr(at, length));
      break;
    case 2:
      text.replace(at, length, words[below(rng, words.size())]);
      break;
    case 3:
      if (!text.empty()) text[below(rng, text.size())] = static_cast<char>(uniform(rng, 0, 255));
      break;
    case 4: {  // a number becomes another
      const std::size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos) text.replace(digit, 1, words[below(rng, 7)]);
      break;
    }
    default: {
      const int from = below(rng, other.size() + 1);
      text.replace(at, length, other.substr(from, 1 + below(rng, 256)));
    }
  }
}

/// Gives it, and says whether the target does with it what its name says.
bool is_as_named(const std::filesystem::path& file, const std::string& seed) {
  give(seed);
  const bool is_to_be_taken = !file.filename().string().starts_with("refused_");
  if (fate.taken == is_to_be_taken) return true;
  std::fprintf(
      stderr, "%s is %s\n", file.c_str(),
      fate.taken ? "taken, but its name says refused" : ("refused: " + fate.refusal).c_str());
  return false;
}

int replay(int mutations, const std::vector<std::string>& files) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) {
    std::signal(signal, keep_input);
  }
  std::vector<std::string> seeds;
  bool are_as_named = true;
  for (const std::string& file : files) {
    seeds.push_back(read_file(file));
    if (!is_as_named(file, seeds.back())) are_as_named = false;
  }
  Rng rng(1);
  for (int i = 0; i < mutations; ++i) {
    std::string text = seeds[below(rng, seeds.size())];
    for (int times = uniform(rng, 1, 4); times > 0; --times) mutate(text, seeds, rng);
    give(text);
  }
  std::printf("%zu seeds and %d mutations of them, seed 1\n", seeds.size(), mutations);
  return are_as_named ? 0 : 1;
}

}  // namespace
}  // namespace cuvier::fuzz

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return cuvier::fuzz::replay(std::stoi(argv[1]), {argv + 2, argv + argc});
}
