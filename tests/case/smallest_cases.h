#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"
#include "reports/comparison/comparison_report.h"
#include "reports/placements/placements_report.h"
#include "solver/minimise/minimise.h"

namespace cuvier {

/// A mechanism of the paper: the case that shows it, and what it is shown against.
struct PaperMechanism {
  const char* name;
  const char* recording;  ///< of corpus/table2.jsonl
  const char* against;    ///< what Algorithm 1 is told from
};

inline constexpr std::array paper_mechanisms = {
    PaperMechanism{"tie-break", "case-1.1", "tie_break=linear"},
    PaperMechanism{"most room", "case-1.1", "selection=first_fit"},
    PaperMechanism{"most room: warps", "case-1.2", "selection=round_robin"},
    PaperMechanism{"most room: registers", "case-1.3", "selection=fewest_warps"},
    PaperMechanism{"most room: shared memory", "case-1.4", "selection=fewest_warps"},
    PaperMechanism{"2.1", "case-2.1", "warp_placement=skip_full"},
    PaperMechanism{"2.2", "case-2.2", "pointer_skip=none"},
    PaperMechanism{"3", "case-3", "config_gate=space_only"},
    PaperMechanism{"3: scope", "case-3", "config_scope=sm"},
    PaperMechanism{"4 register", "case-4.1", "register_layout=contiguous"},
    PaperMechanism{"4 shared", "case-4.2", "shared_placement=fragmented"},
};

/// The paper's probe and ours.
struct SmallestCase {
  Probe paper;
  Minimised ours;
};

inline SmallestCase smallest_case(const PaperMechanism& mechanism) {
  const RecordingSet table =
      read_recordings(std::string(CUVIER_SOURCE_DIR) + "/corpus/table2.jsonl");
  const Probe paper =
      std::ranges::find(table.recordings, mechanism.recording, &Recording::name)->probe;
  MinimiseOptions options;
  options.most_blocks = size_of(paper).blocks;
  return {paper, minimise_between(paper, table.device, Hypothesis{},
                                  hypothesis_from_text(mechanism.against), options)};
}

/// A row of the table in docs/results/smallest-cases.md.
inline std::string table_row(const PaperMechanism& mechanism, const SmallestCase& found) {
  const auto size = [](const Probe& probe) {
    const ProbeSize s = size_of(probe);
    return fmt::format("{}, {}, {}", s.kernels, s.actions, s.blocks);
  };
  const Probe& probe = found.ours.probe;
  std::string script;
  for (const Action& action : probe.script) {
    script += (script.empty() ? "" : "; ") + action_words(action, probe);
  }
  std::string kernels;
  for (const Kernel& kernel : probe.kernels) {
    kernels += fmt::format("{}{}: {} x {} threads, {} registers", kernels.empty() ? "" : "; ",
                           kernel.name, kernel.blocks, kernel.threads, kernel.registers);
    if (kernel.shared > 0) kernels += fmt::format(", {} B", kernel.shared);
  }
  return fmt::format("| {} | {} | `{}` | {} | {} | {} | {} |\n", mechanism.name,
                     mechanism.recording, mechanism.against, size(found.paper), size(probe),
                     kernels, script);
}

}  // namespace cuvier
