#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "probes/json_fields.h"

namespace cuvier {

/// What a compiler says of one entry function, for one architecture.
struct ReportedKernel {
  std::string entry;         ///< as it is mangled
  std::string architecture;  ///< "sm_90"
  int registers = 0;         ///< per thread
  int shared = 0;            ///< static, bytes per block
  int local = 0;             ///< stack, bytes per thread
};

/// Whether it is an ELF file: a cubin, or a program.
bool is_elf(std::string_view file);

/// What a cubin, the code for one architecture, says of its kernels (cubin.cpp). The format is
/// documented nowhere: what is not as in those of CUDA 11 and 13, with which this was compared, is
/// refused. `where` names the file in messages. Throws Error.
std::vector<ReportedKernel> kernels_of_cubin(std::string_view file, const std::string& where);

/// What `nvcc -Xptxas -v` printed, or what is in cubins; or both.
class CompilerReport {
 public:
  /// `architecture`: of the device; other architectures' kernels are left aside.
  explicit CompilerReport(std::string architecture) : architecture_(std::move(architecture)) {}
  CompilerReport() = default;  ///< of any architecture

  /// Adds what a file says; `where` names it in messages. Throws Error where it says nothing.
  void read(std::string_view file, const std::string& where);

  /// The function of that name, or the only one whose mangled name has it as an identifier. Fails
  /// at `place` where there is none, or several.
  const ReportedKernel& find(const std::string& entry, const Place& place) const;

  const std::vector<ReportedKernel>& kernels() const { return kernels_; }

 private:
  std::string architecture_;
  std::vector<ReportedKernel> kernels_;
};

}  // namespace cuvier
