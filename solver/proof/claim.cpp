#include "solver/proof/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "probes/local_level.h"

namespace cuvier {
namespace {

/// Empty where they begin anywhere.
std::string sessions_of(const Device& device, const InitialObservation* opening) {
  std::string sessions;
  if (visits_all_sms(device, opening)) {
    sessions = ", in sessions that begin once every SM got a block";
  }
  if (opens_with_most_local(opening)) {
    sessions += fmt::format("{} with local memory for all that kernels ask for ({} bytes a thread)",
                            sessions.empty() ? ", in sessions that begin" : " and",
                            local_of_level(highest_local_level));
  }
  return sessions;
}

std::string sentence_of(const Device& device, const Classes& classes, const std::string& sessions) {
  constexpr std::size_t most_named = 24;
  std::string claim;
  for (const auto& members : classes.classes) {
    if (members.size() == 1) continue;
    claim += claim.empty()
                 ? fmt::format("On {}{}, no sequence of probes tells apart", device.name, sessions)
                 : ". Nor";
    for (std::size_t i = 0; i < std::min(members.size(), most_named); ++i) {
      claim += fmt::format("{} {}", i == 0 ? "" : ";", describe(members[i]));
    }
    if (members.size() > most_named) {
      claim += fmt::format("; and {} more", members.size() - most_named);
    }
  }
  return claim.empty() ? "" : claim + ".";
}

constexpr std::string_view kArgument =
    "By induction over what happens to the device: a block is placed or released, an SM or the "
    "whole device becomes idle. The dispatcher knows of an SM only what it answers when asked: "
    "whether a block fits, and whatever else the rule asks that chooses among SMs. Take an SM "
    "under one hypothesis and the same SM under the other. While idle, the two correspond. The "
    "lemmas show that two that correspond give the same answers, and that they correspond again "
    "after a block was placed or released and after the SM or the device became idle. A lemma "
    "whose two sides are one and the same term is left out. An axis that matters under neither "
    "hypothesis (cuvier axes says when it does) is not read; orders of SMs or of GPCs that come "
    "out as one on this device are one. The rule that chooses among SMs was run under both "
    "hypotheses side by side, on SMs of which nothing is known, from every position of the "
    "cursors: both ask the same questions in the same order; or a lemma shows that both choose the "
    "same SM whatever the answers are. Where no SM can hold two blocks, lemmas show just that, and "
    "that idle SMs give the same answers. So every block goes to the same SM at the same time.";

constexpr std::string_view kArgumentOfOpenings =
    " In sessions that begin in this way, a cursor that never returns to the start is not at the "
    "start, and where local memory only grows, no kernel waits for it.";

}  // namespace

bool visits_all_sms(const Device& device, const InitialObservation* opening) {
  return opening && static_cast<int>(opening->latest().size()) == device.sms;
}

bool opens_with_most_local(const InitialObservation* opening) {
  return opening && std::ranges::any_of(opening->probe().kernels, [](const Kernel& kernel) {
           return kernel.local >= local_of_level(highest_local_level);
         });
}

Claim claim_of(const Device& device, const Classes& classes, const InitialObservation* opening) {
  const std::string sessions = sessions_of(device, opening);
  Claim claim{sentence_of(device, classes, sessions), std::string(kArgument)};
  if (!sessions.empty()) claim.argument += kArgumentOfOpenings;
  return claim;
}

}  // namespace cuvier
