#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// How one changed hypothesis compares with that of its catalogue.
struct CatalogueRow {
  std::string change;  ///< "selection=first_fit"
  Hypothesis changed;
  Comparison comparison;  ///< its probe is made small
};

/// What tells a hypothesis (A) from each of its single-axis changes (B).
struct Catalogue {
  Device device;
  Hypothesis base;
  std::uint64_t seed = 1;
  std::vector<CatalogueRow> rows;
};

/// The name of the row's probe, or of the folder of its proof: "selection-first_fit".
std::string probe_name(const CatalogueRow& row);

/// A line for each row, as progress.
std::string row_line(const CatalogueRow& row);

/// How many rows ended how: "57 changes: 55 different, 2 equivalent".
std::string summary_words(const Catalogue& catalogue);

/// The table, for people, in Markdown; for programs.
std::string catalogue_markdown(const Catalogue& catalogue);
nlohmann::ordered_json catalogue_json(const Catalogue& catalogue);

}  // namespace cuvier
