#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "reports/document/page.h"
#include "solver/diagnosis/refutation.h"
#include "solver/minimise/minimise.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// How two hypotheses compare: the probe, both predictions side by side and where they part, and
/// how small it is if that was looked at; or how it is known that nothing can tell them apart.
Page comparison_page(const Comparison& comparison, const Device& device, const Hypothesis& a,
                     const Hypothesis& b, const std::optional<Section>& smallness = {});

/// The name of the kind, for programs: "alike" where it was not found out.
std::string result_of(const Comparison& comparison);

/// The same for programs: `result`, both mechanisms, and `probe`, `parting`, `observation_a`,
/// `observation_b`, or `proof`, or `reason`.
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Device& device,
                                       const Hypothesis& a, const Hypothesis& b);

/// For Map::recordings: the probe, with what A shows as seen, and what B shows instead of it.
nlohmann::ordered_json two_outcomes(const Distinction& distinction);

/// Where they part, in a sentence: "step 1, block 3 of k2: SM 6 under A, SM 3 under B".
std::string parting_words(const Distinction& distinction);

/// How often it tells them apart, for one that tells by chance.
std::string likelihood_words(const Likelihood& likelihood);

/// The same in a line, or what is proved, or why it is not known.
std::string known_by(const Comparison& comparison);

/// "different", "equivalent", "not distinguished" or "undecided".
std::string_view name_of(Comparison::Kind kind);

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

/// What is claimed of every probe that was made small.
inline constexpr std::string_view one_minimal_words =
    "1-minimal: nothing smaller by one step will do";

/// "2 kernels, 3 actions, 164 blocks"
std::string size_words(const Probe& probe);
nlohmann::ordered_json size_json(const Probe& probe);

/// How small a probe is that was made small.
Section smallness_section(const Probe& probe);

/// The same beside what it was before.
Section smallness_section(const Minimised& minimised, const Probe& before);

/// The smallest refutation.
Page refutation_page(const Refutation& refutation);

/// `probe`, its `size`, the size `before`, and whether it is 1-minimal.
nlohmann::ordered_json minimised_json(const Minimised& minimised, const Probe& before);

/// The fact that refutes, and the `recordings` as lines of a recording file have them.
nlohmann::ordered_json refutation_json(const Refutation& refutation);

}  // namespace cuvier
