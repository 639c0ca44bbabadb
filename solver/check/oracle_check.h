#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "corpus/store.h"
#include "hypotheses/hypothesis.h"
#include "probes/oracle.h"

namespace cuvier {

/// A fact of the device's description, and a probe that shows whether the device keeps to it.
struct LimitCheck {
  std::string what;   ///< "block slots of an SM"
  std::string field;  ///< of the device file, where it says so
  int documented =
      0;  ///< blocks (or SMs, or TPCs) that should start; of gpc_of_sm: clusters on one GPC each
  int seen = 0;         ///< that did
  std::string refused;  ///< what the oracle said instead, if it did
  /// Each of these alone, and not as in Algorithm 1, would show what was seen on a device that is
  /// as documented: the field may be right then.
  std::vector<std::string> unless;
  bool holds() const { return refused.empty() && seen == documented; }
};

/// What no device file says, and was measured.
struct GranularityCheck {
  std::string what;              ///< "allocation unit of registers"
  std::vector<int> axes;         ///< that say it
  std::vector<Hypothesis> left;  ///< those that explain all of it, else as in Algorithm 1; or none
  std::vector<std::string> probes;
  std::string refused;  ///< what the oracle said to a probe instead of an answer, if it did
};

/// Whether an oracle is fit to be asked: before anything is inferred from its answers.
struct OracleCheck {
  std::vector<GranularityCheck> granularities;
  std::vector<LimitCheck> limits;
  int repeated = 0;                   ///< probes that ran several times, each in the same session
  int steady = 0;                     ///< of these, those whose exact steps were the same each time
  std::vector<std::string> unsteady;  ///< the families of the others
  int refused = 0;
  double probe_ms = 0;  ///< a run takes, in the median
  std::vector<std::string> channels;

  bool good() const;
};

/// Asks for the limits that the device's facts name, then one probe of each family several times;
/// every answer goes to the journal.
OracleCheck check_oracle(Oracle& oracle, Journal& journal, std::uint64_t seed,
                         const std::function<void(const std::string&)>& doing);

}  // namespace cuvier
