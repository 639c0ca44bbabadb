#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "corpus/store.h"
#include "probes/oracle.h"

namespace cuvier {

/// A fact of the device's description, and a probe that shows whether the device keeps to it.
struct LimitCheck {
  std::string what;     ///< "block slots of an SM"
  int documented = 0;   ///< blocks that should start; of gpc_of_sm: clusters on one GPC each
  int seen = 0;         ///< that did
  std::string refused;  ///< what the oracle said instead, if it did
  bool holds() const { return refused.empty() && seen == documented; }
};

/// Whether an oracle is fit to be asked: before anything is inferred from its answers.
struct OracleCheck {
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
