#pragma once

#include <pybind11/pybind11.h>

#include "probes/probe.h"
#include "reports/model/model_report.h"

namespace cuvier {

/// cuvier.Model
struct ModelOfDevice {
  Device device;
  Model model;
};

/// A probe of the device, as dicts or a path. Throws Error.
Probe read_probe(const pybind11::handle& given, const Device& device);

/// cuvier.Device and cuvier.Model, and what is asked of them.
void add_models(pybind11::module_& module);

}  // namespace cuvier
