#pragma once

#include <pybind11/pybind11.h>

namespace cuvier {

/// cuvier.infer and cuvier.Finding.
void add_inference(pybind11::module_& module);

}  // namespace cuvier
