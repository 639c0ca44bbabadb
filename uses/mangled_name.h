#pragma once

#include <string_view>
#include <vector>

namespace cuvier {

/// The identifiers in a mangled name: of "_Z7workersPf" it is "workers". They are those of the
/// function, of what it is in, and of types and arguments of templates, and views of `mangled`.
/// None where it is not mangled. abi::__cxa_demangle() gives up names over 1,024 characters, which
/// kernels that are templates have.
std::vector<std::string_view> identifiers_of(std::string_view mangled);

}  // namespace cuvier
