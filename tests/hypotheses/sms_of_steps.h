#pragma once

#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "tests/samples.h"

namespace cuvier {

/// Where the blocks go that start with each action, on four SMs in ascending order where the model
/// says nothing else.
inline std::vector<std::vector<int>> sms_of_steps(const std::string& model, const Probe& probe) {
  Simulator simulator(samples::device(),
                      hypothesis_from_text("hierarchy=flat,tie_break=linear," + model));
  std::vector<std::vector<int>> sms;
  for (const Step& step : simulator.run(probe).steps) {
    auto& of_step = sms.emplace_back();
    for (const Started& started : step.started) {
      of_step.insert(of_step.end(), started.sm.begin(), started.sm.end());
    }
  }
  return sms;
}

}  // namespace cuvier
