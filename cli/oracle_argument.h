#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/options.h"
#include "corpus/store.h"
#include "probes/oracle.h"

namespace cuvier {

/// The forms of ORACLE with their meanings, for help texts.
std::string oracle_meaning();

/// Who is asked, and for how long is waited.
struct OracleArgument {
  std::string oracle;
  double timeout_s = 0;  ///< of a program, for each run of a probe; 0: as its protocol has it
  int processes = 1;     ///< of a program, which hold sessions at the same time
};

/// Declares --oracle and --oracle-timeout. The first is the option that is returned.
CLI::Option* add_oracle(Options& options, OracleArgument& argument);
/// The latter alone.
void add_oracle_timeout(Options& options, OracleArgument& argument);
/// Declares --oracles, where sessions are held that do not build on each other.
void add_oracles(Options& options, OracleArgument& argument);

/// Opens what an ORACLE argument names. Throws Error: told the forms where it has none of
/// them. The seed is that of what a simulated device leaves to chance. From here on, Ctrl-C and
/// SIGTERM ask to end in order where a program is asked, so that it ends with us.
std::unique_ptr<Oracle> open_oracle(const OracleArgument& argument, std::uint64_t seed);
/// The same of one that answers whatever it is asked. Throws Error for a recording, with what tells
/// more about that.
std::unique_ptr<Oracle> open_live_oracle(const OracleArgument& argument, std::uint64_t seed);

/// A journal for its answers, in a folder that holds none yet. Throws Error, and leaves what is
/// there as it is, where it does.
std::unique_ptr<Journal> new_journal(const std::string& folder, const Oracle& oracle);

}  // namespace cuvier
