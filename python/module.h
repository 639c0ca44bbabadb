#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "probes/json_fields.h"
#include "probes/oracle.h"
#include "probes/probe.h"
#include "reports/model/model_report.h"

namespace cuvier {

/// A document of our formats, given as Python's dicts, lists and numbers (numpy's, too), or as the
/// path of a .json file. `called` names the former in messages ("probe: kernels.k1.threads").
struct Document {
  Json json;
  std::string where;
};
Document document_of(const pybind11::handle& given, const std::string& called);

/// The document as Python's dicts, lists and numbers.
pybind11::object to_python(const Json& json);

/// A probe of the device, as dicts or a path. Throws Error.
Probe read_probe(const pybind11::handle& given, const Device& device);

/// cuvier.Device and cuvier.Model, and what is asked of them.
void add_models(pybind11::module_& module);

/// What a class of Python's answers that derives from cuvier.Oracle: its run(probe) is asked, and
/// its begin_session(), if it has one. May be asked without Python's lock.
class PythonOracle : public Oracle {
 public:
  explicit PythonOracle(Device device) : device_(std::move(device)) {}

  const Device& device() const override { return device_; }
  std::string description() const override;
  std::vector<Answer> run(const Probe& probe, int repeat) override;
  bool begin_session() override;
  int session() const override { return session_; }

 private:
  pybind11::function method(const char* name) const;

  Device device_;
  int session_ = 0;
};

/// cuvier.Oracle, cuvier.Simulator and cuvier.Refusal.
void add_oracles(pybind11::module_& module);

/// cuvier.infer and cuvier.Finding.
void add_inference(pybind11::module_& module);

}  // namespace cuvier
