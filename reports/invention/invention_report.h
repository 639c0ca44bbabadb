#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"
#include "reports/document/page.h"
#include "solver/finding/finding.h"
#include "solver/finding/mismatches.h"
#include "solver/invention/proposals.h"

namespace cuvier {

/// Nothing explained what was recorded by then, and formulas were looked for.
struct InventionRound {
  Hypothesis nearest;
  Proposals proposals;
  std::optional<Mismatch> first;  ///< that it gets wrong, in the smallest recording that has any
  /// Formulas of other axes that explain as much as what was gone on with.
  std::vector<std::string> set_aside = {};
};

/// InventionRound::first.
std::optional<Mismatch> first_wrong(const RecordingSet& set, const Hypothesis& nearest);

std::string set_aside_words(const InventionRound& round);

/// A fact of the device that could be another: then a known mechanism would explain everything.
struct InventedFact {
  std::string words;          ///< "max_warps_per_sm is 52 instead of 48"
  std::string folder;         ///< of the inference under it
  std::optional<bool> holds;  ///< to the end; none: a recorded kernel could not be launched then
};

/// What `invent` did, and what it led to.
struct Invention {
  std::vector<InventedFact> facts;
  /// No formula, but nothing that was asked contradicts them, the shortest first.
  std::vector<Exception> exceptions;
  int exceptions_asked = 0;  ///< probes that could have contradicted what is left of them
  std::vector<InventionRound> rounds;
  Finding finding;          ///< of the last inference
  RecordingSet recordings;  ///< all of them
  int confirmed_by = 0;     ///< random sequences in the end
  int contradicted_by = 0;  ///< of them
};

/// That an exception explains everything, or that none does to the end.
std::string exceptions_words(const Invention& invention);

/// What became of one that was proposed: the first recording that contradicts it, if any does.
std::optional<std::string> contradicted_by(const Proposal& proposal, const RecordingSet& set);

/// The diagnosis: which axes it could be, how far each was searched, and what was found.
Section round_section(const InventionRound& round);

/// All rounds with the cases that each formula decided and what became of it, the rule in words,
/// and how it would become a named value.
Page invention_page(const Invention& invention);

/// The same for programs, for report_file().
nlohmann::ordered_json invention_json(const Invention& invention);

}  // namespace cuvier
