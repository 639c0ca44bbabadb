#include "reports/comparison/comparison_words.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace cuvier {
namespace {

std::string sm_words(int sm) { return sm < 0 ? "waits" : fmt::format("SM {}", sm); }

}  // namespace

std::string plain_reason(const Hypothesis& a, const Hypothesis& b) {
  if (a == b) return "A and B are the same hypothesis";
  if (canonical(a) != canonical(b)) return "";
  std::vector<std::string_view> idle;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (a.values[axis] != b.values[axis]) idle.push_back(axis_info(axis).name);
  }
  return fmt::format("A and B differ only in {}, which changes nothing under their other values",
                     fmt::join(idle, ", "));
}

std::string_view name_of(Comparison::Kind kind) {
  switch (kind) {
    case Comparison::Kind::different:
      return "different";
    case Comparison::Kind::equivalent:
      return "equivalent";
    case Comparison::Kind::not_distinguished:
      return "not distinguished";
    case Comparison::Kind::undecided:
      break;
  }
  return "undecided";
}

std::string likelihood_words(const Likelihood& likelihood) {
  return fmt::format("B excluded by {} of {} outcomes drawn under A, A by {} of {} under B",
                     likelihood.excludes_b, likelihood.drawn, likelihood.excludes_a,
                     likelihood.drawn);
}

std::string parting_words(const Distinction& distinction) {
  const Parting& parting = distinction.parting;
  const std::string& kernel = distinction.probe.kernels[parting.kernel].name;
  if (parting.block < 0) {
    return fmt::format("step {}, {}: it prefers {} bytes of shared memory under A, {} under B",
                       parting.step, kernel,
                       distinction.a.steps[parting.step].shared_config.at(parting.kernel),
                       distinction.b.steps[parting.step].shared_config.at(parting.kernel));
  }
  const std::string place =
      fmt::format("step {}, block {} of {}", parting.step, parting.block, kernel);
  if (parting.sm_a == parting.sm_b) {
    return fmt::format("{}: SM {} under both, its warps in other slots", place, parting.sm_a);
  }
  return fmt::format("{}: {} under A, {} under B", place, sm_words(parting.sm_a),
                     sm_words(parting.sm_b));
}

}  // namespace cuvier
