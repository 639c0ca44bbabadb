#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "probes/an_error.h"
#include "uses/compiler_report.h"

namespace cuvier {
namespace {

/// Attributes of a kernel in .nv.info: a byte for how long the value is, one for what it is, two
/// for the length.
constexpr std::uint8_t kOfLength = 4;
constexpr std::uint8_t kFrameSize = 0x11;
constexpr std::uint8_t kStackSize = 0x12;  ///< with what it calls
constexpr std::uint8_t kRegisters = 0x2f;

constexpr std::uint8_t kIsKernel = 0x10;    ///< among a symbol's st_other
constexpr std::uint64_t kOfRuntime = 1024;  ///< bytes of shared memory that it takes of each block
constexpr std::uint64_t kMostShared = 1 << 20;

class Cubin {
 public:
  Cubin(std::string_view file, const std::string& where)
      : file_(file), where_(where), header_(at<Elf64_Ehdr>(0)) {
    if (header_.e_machine != EM_CUDA) {
      throw an_error(
          "{0}: is a program; `cuobjdump -xelf all {0}` writes its cubins: give one of them",
          where);
    }
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
      unknown("the form of the file");
    }
    const Elf64_Shdr names = section(header_.e_shstrndx);
    for (int i = 0; i < header_.e_shnum; ++i) {
      sections_[text(names, section(i).sh_name)] = section(i);
    }
  }

  std::vector<ReportedKernel> kernels() {
    read_attributes();
    const Elf64_Shdr symbols = named(".symtab");
    const Elf64_Shdr names = section(symbols.sh_link);
    std::vector<ReportedKernel> kernels;
    for (std::uint64_t i = 0; i < symbols.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at<Elf64_Sym>(symbols.sh_offset + i * sizeof(Elf64_Sym));
      if ((symbol.st_other & kIsKernel) == 0 || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
      const std::string name = text(names, symbol.st_name);
      const auto& says = attributes_[static_cast<std::uint32_t>(i)];
      if (!says.contains(kRegisters)) unknown("how many registers " + name + " has");
      const auto bytes = [&](std::uint8_t what) { return says.contains(what) ? says.at(what) : 0; };
      kernels.push_back({name, architecture(), says.at(kRegisters), shared_of(name),
                         std::max(bytes(kFrameSize), bytes(kStackSize))});
    }
    return kernels;
  }

 private:
  [[noreturn]] void unknown(const std::string& what) const {
    throw an_error(
        "{}: does not say {} as cubins of CUDA 11 and 13 do; give what nvcc -Xptxas -v prints",
        where_, what);
  }

  template <class T>
  T at(std::uint64_t offset) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) {
      throw Error(where_ + ": is cut off");
    }
    T value;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return value;
  }

  Elf64_Shdr section(int number) const {
    return at<Elf64_Shdr>(header_.e_shoff + std::uint64_t(number) * sizeof(Elf64_Shdr));
  }
  Elf64_Shdr named(const std::string& name) const {
    const auto found = sections_.find(name);
    if (found == sections_.end()) unknown(name);
    return found->second;
  }
  std::string text(const Elf64_Shdr& names, std::uint64_t offset) const {
    at<char>(names.sh_offset + offset);
    const std::uint64_t from = names.sh_offset + offset;
    return {file_.data() + from, ::strnlen(file_.data() + from, file_.size() - from)};
  }

  std::string architecture() const {
    const auto version = header_.e_ident[EI_ABIVERSION];
    if (version != 7 && version != 8) unknown("for which architecture it is");
    return fmt::format("sm_{}", header_.e_flags >> (version == 8 ? 8 : 0) & 0xff);
  }

  void read_attributes() {
    const Elf64_Shdr info = named(".nv.info");
    for (std::uint64_t i = 0; i < info.sh_size;) {
      const std::uint64_t from = info.sh_offset + i;
      const auto length = at<std::uint16_t>(from + 2);
      i += 4;
      if (at<std::uint8_t>(from) != kOfLength) continue;
      i += length;
      if (length != 8) continue;
      attributes_[at<std::uint32_t>(from + 4)][at<std::uint8_t>(from + 1)] =
          at<std::int32_t>(from + 8);
    }
  }

  /// Since sm_90 the runtime's part is in it, which is no static shared memory.
  int shared_of(const std::string& kernel) const {
    const auto found = sections_.find(".nv.shared." + kernel);
    const std::uint64_t bytes = found == sections_.end() ? 0 : found->second.sh_size;
    const bool with_runtimes = bytes > 0 && sections_.contains(".nv.shared.reserved.0");
    const std::uint64_t of_runtime = with_runtimes ? kOfRuntime : 0;
    if (bytes < of_runtime || bytes > kMostShared) {
      unknown("how much shared memory " + kernel + " has");
    }
    return static_cast<int>(bytes - of_runtime);
  }

  const std::string_view file_;
  const std::string& where_;
  const Elf64_Ehdr header_;
  std::map<std::string, Elf64_Shdr> sections_;
  std::map<std::uint32_t, std::map<std::uint8_t, std::int32_t>> attributes_;  ///< by symbol
};

}  // namespace

bool is_elf(std::string_view file) { return file.starts_with(ELFMAG); }

std::vector<ReportedKernel> kernels_of_cubin(std::string_view file, const std::string& where) {
  return Cubin(file, where).kernels();
}

}  // namespace cuvier
