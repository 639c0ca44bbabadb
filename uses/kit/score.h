#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// A probe of which a simulator placed blocks otherwise than the GPU.
struct Missed {
  std::string probe;
  std::string gpu;        ///< the first fact that is otherwise, in words
  std::string simulator;  ///< what it did instead, in the same words; empty: nothing like it
  int facts = 0;          ///< that are otherwise
};

/// Where a log ends too early: of its last probe all is as on the GPU but blocks at the end.
struct CutOff {
  std::string probe;
  int blocks = 0;  ///< that start on the GPU, and of which it has no line
};

/// An axis that a simulator and a GPU answer otherwise: no value explains both.
struct OtherAnswer {
  int axis = 0;
  std::vector<int> gpu;        ///< values
  std::vector<int> simulator;  ///< values
};

/// How a simulator's answers compare with a kit's.
struct Score {
  std::string simulator;
  int probes = 0;
  std::vector<std::string> refused;  ///< probes that it did not answer
  std::vector<Missed> missed;
  std::optional<CutOff> cut_off = {};  ///< of a log
  Finding behaviour;                   ///< what explains the simulator's answers; see explain()
  std::vector<OtherAnswer> otherwise;  ///< where something does, by axis
};

/// The simulator's answers to a kit's probes, each in a fresh session where it can begin one; those
/// that it refuses are left out. Throws Error where it fails.
RecordingSet ask_all(const RecordingSet& golden, Oracle& simulator,
                     std::vector<std::string>& refused, const Task& task);

/// A simulator's log of a kit's probes: a table (Csv) of columns `probe`, `kernel`, `block` and
/// `sm`, and `step`, which is that of its kernel's launch where there is none; a line for each
/// block that started. Probes of which there is no line are left out, and so are the steps from a
/// probe's first release on where no line is of these. Throws Error with file and line.
RecordingSet read_log(const RecordingSet& golden, const std::string& path,
                      std::vector<std::string>& refused);

std::optional<CutOff> cut_off(const RecordingSet& golden, const RecordingSet& log);

/// Compares them, as far as the simulator's answers go.
Score score(const RecordingSet& golden, const RecordingSet& simulator);

/// Finds what explains the simulator, and what of that is not the GPU's. `gpu`: for each axis what
/// explains that; none where any value does. `task` as in check().
void explain(Score& score, const RecordingSet& simulator, const SurvivingValues& gpu,
             const Task& task);

}  // namespace cuvier
