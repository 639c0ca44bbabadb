#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/store.h"
#include "hypotheses/hypothesis.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/check/device_corrections.h"

namespace cuvier {

/// Whether an oracle keeps to its protocol.
struct Conformance {
  bool sessions = false;               ///< it can begin one
  int compared = 0;                    ///< probes that were asked in two sessions
  std::vector<std::string> differing;  ///< of these, those that went otherwise in the second
  bool state = false;                  ///< some probe went otherwise when it was run once more
  /// What became of a probe that the device cannot run: "was answered"; empty: it was refused.
  std::string not_refused;
};

/// Whether an oracle is fit to be asked: before anything is inferred from its answers.
struct OracleCheck : Measured {
  std::string oracle;  ///< what it says that it is
  Conformance conformance;
  /// Of the device file: the fewest that explain all rows together. All was measured of a device
  /// with these.
  std::vector<DeviceCorrection> corrections;
  int repeated = 0;                   ///< probes that ran several times, each in the same session
  int steady = 0;                     ///< of these, those whose exact steps were the same each time
  std::vector<std::string> unsteady;  ///< the families of the others
  int refused = 0;
  double probe_ms = 0;  ///< a run takes, in the median
  std::vector<std::string> channels;

  bool good() const;
};

/// Asks in two sessions whether it keeps to the protocol, then for the limits that the device's
/// facts name, and one probe of each family several times; every answer goes to the journal. Throws
/// Stopped where the task is to end.
OracleCheck check_oracle(Oracle& oracle, Journal& journal, std::uint64_t seed, const Task& task);

}  // namespace cuvier
