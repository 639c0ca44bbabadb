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
  /// In the end, of each formula that was found: the first recording that contradicts it, if any.
  std::vector<std::optional<std::string>> contradicted_by = {};
};

/// InventionRound::first.
std::optional<Mismatch> first_wrong(const RecordingSet& set, const Hypothesis& nearest);

std::string set_aside_words(const InventionRound& round);

/// An inference of a device of which one fact is another than it says: a known mechanism would
/// explain everything then.
struct CorrectedInference {
  std::string words;               ///< "max_warps_per_sm is 52 instead of 48"
  std::string folder;              ///< with device.json, and what an inference leaves
  std::optional<Finding> finding;  ///< none: a recorded kernel could not be launched then
  int asked = 0;                   ///< random sequences that could have contradicted what is left
  bool holds = false;              ///< nothing that was asked contradicts it
};

/// What `invent` did, and what it led to.
struct Invention {
  std::vector<CorrectedInference> facts;
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

/// The diagnosis: which axes it could be, how far each was searched, and what was found.
Section round_section(const InventionRound& round);

/// All rounds with the cases that each formula decided and what became of it (contradicted_by), the
/// rule in words, and how it would become a named value.
Page invention_page(const Invention& invention);

/// The same for programs, for report_file().
nlohmann::ordered_json invention_json(const Invention& invention);

}  // namespace cuvier
