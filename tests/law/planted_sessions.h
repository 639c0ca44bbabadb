#pragma once

#include <string>
#include <vector>

#include "hypotheses/axes.h"
#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "probes/rng.h"
#include "solver/space/sessions.h"

namespace cuvier {

inline const FormulaInfo& info_of(int axis) { return *axis_info(axis).formula; }

/// The hypothesis with that formula as its value.
inline Hypothesis with_formula(int axis, const std::string& formula,
                               const Hypothesis& hypothesis = {}) {
  return hypothesis.with(axis, formula_value(axis, formula));
}
template <class Axis>
Hypothesis with_formula(const std::string& formula, const Hypothesis& hypothesis = {}) {
  return with_formula(index_of<Axis>(), formula, hypothesis);
}

/// Sessions of a device that follows it: a few probes each.
inline std::vector<Session> sessions_by(const Device& device, const Hypothesis& hypothesis,
                                        int sessions, int probes) {
  Rng rng(7);
  std::vector<Session> all;
  const auto families = probe_families(device);
  for (int s = 0; s < sessions; ++s) {
    Simulator simulator(device, hypothesis);
    Session& session = all.emplace_back();
    for (int p = 0; p < probes; ++p) {
      const Probe probe = families[rng() % families.size()].draw(device, rng);
      session.push_back({probe, facts_of(simulator.run(probe), probe), p == 0, ""});
    }
  }
  return all;
}

/// How many of 300 probes, one after the other, show two hypotheses to differ. The first that does
/// leaves another state behind.
inline int probes_that_differ(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  Rng rng(11);
  const auto families = probe_families(device);
  Simulator one(device, a);
  Simulator other(device, b);
  int differ = 0;
  for (int i = 0; i < 300; ++i) {
    const Probe probe = families[i % families.size()].draw(device, rng);
    differ += facts_of(one.run(probe), probe) != facts_of(other.run(probe), probe);
  }
  return differ;
}

}  // namespace cuvier
