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

/// A fact of the device's description, and a probe that shows whether the device keeps to it.
struct LimitCheck {
  std::string what;     ///< "block slots of an SM"
  std::string field;    ///< of the device file, where it says so
  std::string unit;     ///< of the two numbers: "block"
  int documented = 0;   ///< that should start, or be reached
  int seen = 0;         ///< that did, or were
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
struct OracleCheck {
  std::string oracle;  ///< what it says that it is
  Conformance conformance;
  /// Of the device file: the fewest that explain all rows together. What is told below was measured
  /// of a device with these.
  std::vector<DeviceCorrection> corrections;
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

/// Asks in two sessions whether it keeps to the protocol, then for the limits that the device's
/// facts name, and one probe of each family several times; every answer goes to the journal. Throws
/// Stopped where the task is to end.
OracleCheck check_oracle(Oracle& oracle, Journal& journal, std::uint64_t seed, const Task& task);

}  // namespace cuvier
