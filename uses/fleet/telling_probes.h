#pragma once

#include <string>
#include <vector>

#include "corpus/store.h"
#include "hypotheses/hypothesis.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"

namespace cuvier {

/// Few probes that tell a model from its rivals (golden_probes): from each that can be told, the
/// most telling first.
struct TellingProbes {
  std::vector<Probe> probes;
  std::vector<std::vector<bool>> tells;  ///< by probe, by rival: whether it tells it from the model
  int rivals = 0;
};

/// Throws Error where the device's facts do not suffice for the model.
TellingProbes telling_probes(const Device& device, const Hypothesis& model, std::uint64_t seed);

/// What became of asking them.
struct Told {
  int answered = 0;             ///< of the probes: one that the oracle refuses tells nothing
  int rivals = 0;               ///< so many others are told from the model by these
  std::string contradicted_by;  ///< the first whose answer the model does not explain; "": none
  std::vector<std::string> unrepeated;  ///< probes of which it explains some answers and some not

  /// Whether this is a GPU of the model, as far as it was asked.
  bool is_as_the_model() const { return answered > 0 && contradicted_by.empty(); }
};

/// Asks each in a session of its own, for so many seconds or until one contradicts the model. An
/// answer that does is asked for twice more, and the most count. What the journal holds already is
/// not asked again. Throws Stopped where the task is to end. Throws Error where the oracle failed.
Told ask_telling(Oracle& oracle, Journal& journal, const Hypothesis& model,
                 const TellingProbes& probes, double seconds, const Task& task);

}  // namespace cuvier
