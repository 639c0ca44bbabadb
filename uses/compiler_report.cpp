#include "uses/compiler_report.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "probes/an_error.h"
#include "probes/number_in.h"
#include "uses/mangled_name.h"

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

/// "48 bytes smem": the number before the words.
std::optional<int> number_before(std::string_view line, std::string_view words) {
  const std::size_t end = line.find(words);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view before = line.substr(0, end);
  const std::size_t begin = before.find_last_not_of("0123456789");
  return number_in<int>(begin == std::string_view::npos ? before : before.substr(begin + 1));
}

/// "Compiling entry function 'NAME' for 'sm_90'", and a line or two later its numbers.
std::vector<ReportedKernel> kernels_of_ptxas(std::string_view text) {
  std::vector<ReportedKernel> kernels;
  std::optional<ReportedKernel> begun;  // of which more follows
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (const auto entry = behind(line, "Compiling entry function '", "'")) {
      begun = ReportedKernel{std::string(*entry),
                             std::string(behind(line, "' for '", "'").value_or("")), 0, 0, 0};
    } else if (begun) {
      if (const auto frame = number_before(line, " bytes stack frame")) begun->local = *frame;
      const auto registers = number_before(line, " registers");
      if (!registers || line.find("Used ") == std::string_view::npos) continue;
      begun->registers = *registers;
      begun->shared = number_before(line, " bytes smem").value_or(0);
      begun->local =
          std::max(begun->local, number_before(line, " bytes cumulative stack size").value_or(0));
      kernels.push_back(*std::exchange(begun, std::nullopt));
    }
  }
  return kernels;
}

}  // namespace

void CompilerReport::read(std::string_view file, const std::string& where) {
  const auto kernels = is_elf(file) ? kernels_of_cubin(file, where) : kernels_of_ptxas(file);
  if (kernels.empty()) {
    throw Error(where +
                ": says nothing of kernels; give what nvcc -Xptxas -v prints, or a cubin, which "
                "cuobjdump -xelf all PROGRAM writes");
  }
  const std::size_t before = kernels_.size();
  std::ranges::copy_if(kernels, std::back_inserter(kernels_), [&](const ReportedKernel& kernel) {
    return kernel.architecture.starts_with(architecture_);
  });
  if (kernels_.size() == before) {
    throw an_error("{}: has kernels, but none for {}; compile for it", where, architecture_);
  }
}

const ReportedKernel& CompilerReport::find(const std::string& entry, const Place& place) const {
  const auto exact = std::ranges::find(kernels_, entry, &ReportedKernel::entry);
  if (exact != kernels_.end()) return *exact;
  const ReportedKernel* found = nullptr;
  for (const ReportedKernel& kernel : kernels_) {
    const auto identifiers = identifiers_of(kernel.entry);
    if (std::ranges::find(identifiers, entry) == identifiers.end()) continue;
    if (found) {
      place.fail("{} is the name of several functions, {} and {}; write the mangled one",
                 in_quotes(entry), found->entry, kernel.entry);
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
