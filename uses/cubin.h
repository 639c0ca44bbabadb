#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "uses/compiler_report.h"

namespace cuvier {

/// Whether it is an ELF file: a cubin, or a program.
bool is_elf(std::string_view file);

/// What a cubin, the code for one architecture, says of its kernels. The format is documented
/// nowhere: what is not as in those of CUDA 11 and 13, with which this was compared, is refused.
/// `where` names the file in messages. Throws Error.
std::vector<ReportedKernel> kernels_of_cubin(std::string_view file, const std::string& where);

}  // namespace cuvier
