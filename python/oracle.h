#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "probes/oracle.h"

namespace cuvier {

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

}  // namespace cuvier
