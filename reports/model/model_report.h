#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "reports/document/page.h"

namespace cuvier {

/// A hypothesis that answers for a device, and what is known for and against that.
struct Model {
  Device device;
  Hypothesis hypothesis;
  std::string evidence;
};

/// HYPOTHESIS: a model file (*.json), a name that `cuvier axes` lists, or AXIS=VALUE,... over
/// Algorithm 1. Throws Error, also where the device's facts do not suffice for it.
Hypothesis read_hypothesis(const std::string& text, const Device& device);

/// The same, with what is known for and against it.
Model read_model_of(const Device& device, const std::string& text);

/// What may predict the device where nothing was named (plausible_models), the likeliest first.
std::vector<Model> plausible_models_of(const Device& device);

/// What recordings of GPUs say of the hypothesis: "explains all 133 facts recorded of this GPU",
/// "never checked on this GPU; contradicted on 3 others (...)".
std::string evidence_for(const Device& device, const Hypothesis& hypothesis);

/// The same of a model file: how it was inferred, if it says so.
std::string evidence_for_file(const Device& device, const std::string& path);

/// Its name, and the evidence: "bfa (never checked on this GPU; ...)".
std::string model_words(const Model& model);

/// {"device","model","evidence"}: whose answer it is that follows.
nlohmann::ordered_json answered_by(const Model& model);

/// A C++20 header that needs nothing but the standard library and predicts where this GPU puts
/// blocks (docs/howto/export.md): the definition of the mechanism, and the model's values and the
/// device's facts as constants. Throws Error where these do not suffice for it.
std::string model_header(const Device& device, const Hypothesis& hypothesis);

/// A model and its device as plain facts, for programs that know nothing of axes: what follows from
/// the names in a model.json is spelt out (docs/howto/export.md). It is a model file, too. Throws
/// Error where the device's facts do not suffice for the model.
nlohmann::ordered_json model_facts(const Device& device, const Hypothesis& hypothesis);

/// What may be true: every axis, its values, when it matters; and the named hypotheses.
std::string axes_text();

/// What formulas of the axis, which takes them, read and give, and its named values as formulas.
Page formulas_page(int axis);

/// The same of all axes that take formulas.
Page all_formulas_page();

/// {"count":{"hypotheses","with_gpc_map","with_clusters","combinations"},"axes":[{"name","meaning",
/// "values":[{"name","meaning","needs_gpc_map","needs_clusters","needs_tpcs","needs_lone_tpcs",
/// "formula"}],"formula":{"gives","kind","least","most",
/// "names":[{"name","meaning","least","most"}]},
/// "matters_when":[{AXIS:[VALUE,...],...},...]}],"hypotheses":[{"name",...,"mechanism"}]}.
/// `matters_when`: any of these; empty: always.
nlohmann::ordered_json axes_json();

/// The GPUs whose documented facts are built in, one a line; then their notes.
std::string devices_text();

/// {NAME: {the fields of a device file}, ...}.
nlohmann::ordered_json devices_json();

}  // namespace cuvier
