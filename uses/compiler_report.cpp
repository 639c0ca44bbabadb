#include "uses/compiler_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "probes/error.h"

namespace cuvier {
namespace {

/// What stands behind `before`, up to one of the characters in `ends`.
std::optional<std::string_view> behind(std::string_view line, std::string_view before,
                                       std::string_view ends) {
  const std::size_t at = line.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + before.size());
  return line.substr(0, line.find_first_of(ends));
}

std::optional<int> number_of(std::optional<std::string_view> digits) {
  int number = 0;
  if (!digits) return std::nullopt;
  const auto end = digits->data() + digits->size();
  const auto [stop, error] = std::from_chars(digits->data(), end, number);
  return error == std::errc() && stop == end && number >= 0 ? std::optional(number) : std::nullopt;
}

/// "48 bytes smem": the number before the words.
std::optional<int> number_before(std::string_view line, std::string_view words) {
  const std::size_t end = line.find(words);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view before = line.substr(0, end);
  const std::size_t begin = before.find_last_not_of("0123456789");
  return number_of(begin == std::string_view::npos ? before : before.substr(begin + 1));
}

/// As a mangled name has an identifier: its length goes before it.
bool has_identifier(const std::string& mangled, const std::string& name) {
  return mangled.find(fmt::format("{}{}", name.size(), name)) != std::string::npos;
}

}  // namespace

void CompilerReport::read(std::string_view text, const std::string& where) {
  if (text.starts_with("\x7f"
                       "ELF")) {
    throw Error(
        fmt::format("{0}: is a program or a cubin; give what cuobjdump --dump-resource-usage "
                    "{0} prints",
                    where));
  }
  const std::size_t before = kernels_.size();
  bool any = false;
  std::string architecture;             // cuobjdump says it once for many
  std::optional<ReportedKernel> begun;  // of which more follows
  const auto add = [&](const ReportedKernel& kernel) {
    any = true;
    if (architecture_.empty() || kernel.architecture.empty() ||
        kernel.architecture.starts_with(architecture_)) {
      kernels_.push_back(kernel);
    }
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (const auto arch = behind(line, "arch = ", " \t\r")) architecture = std::string(*arch);
    if (const auto entry = behind(line, "Compiling entry function '", "'")) {  // ptxas
      begun = ReportedKernel{std::string(*entry),
                             std::string(behind(line, "' for '", "'").value_or("")), 0, 0, 0};
    } else if (const auto function = behind(line, "Function ", ":");  // cuobjdump
               function && function->find(' ') == std::string_view::npos) {
      begun = ReportedKernel{std::string(*function), architecture, 0, 0, 0};
    } else if (begun) {
      if (const auto frame = number_before(line, " bytes stack frame")) begun->local = *frame;
      if (const auto registers = number_before(line, " registers");
          registers && line.find("Used ") != std::string_view::npos) {
        begun->registers = *registers;
        begun->shared = number_before(line, " bytes smem").value_or(0);
        add(*begun);
        begun.reset();
      } else if (const auto reg = number_of(behind(line, "REG:", " \t\r"))) {
        begun->registers = *reg;
        begun->local = number_of(behind(line, "STACK:", " \t\r")).value_or(0);
        begun->shared = number_of(behind(line, "SHARED:", " \t\r")).value_or(0);
        add(*begun);
        begun.reset();
      }
    }
  }
  if (!any) {
    throw Error(where +
                ": says nothing of kernels; give what nvcc -Xptxas -v or cuobjdump "
                "--dump-resource-usage prints");
  }
  if (kernels_.size() == before) {
    throw Error(
        fmt::format("{}: has kernels, but none for {}; compile for it", where, architecture_));
  }
}

const ReportedKernel& CompilerReport::find(const std::string& entry, const Place& place) const {
  const auto exact = std::ranges::find(kernels_, entry, &ReportedKernel::entry);
  if (exact != kernels_.end()) return *exact;
  const ReportedKernel* found = nullptr;
  for (const ReportedKernel& kernel : kernels_) {
    if (!has_identifier(kernel.entry, entry)) continue;
    if (found) {
      place.fail(
          fmt::format("{} is the name of several functions, {} and {}; write the mangled one",
                      in_quotes(entry), found->entry, kernel.entry));
    }
    found = &kernel;
  }
  if (!found) {
    place.fail(in_quotes(entry) + (kernels_.empty() ? " needs a report of the compiler; name it "
                                                      "with --kernel-report FILE"
                                                    : " is in no report"));
  }
  return *found;
}

}  // namespace cuvier
