#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/inference_run.h"
#include "cli/oracle_argument.h"
#include "reports/port/port_report.h"

namespace cuvier {

/// What is found out of one GPU, and where that is kept.
struct PortOf {
  OracleArgument oracle;
  std::string out;
  std::vector<std::string> assumptions;
  InferenceOptions inference;
};

/// The stages of a port that say what a GPU does, in its folder: what is done is there, and not
/// done again. Each opens the oracle anew: in which state one leaves the device, the next does not
/// know.
class PortRun {
 public:
  /// `as_checked`: go by device.json, as an earlier check left it. Throws Error, and writes
  /// nothing, where the folder is of another GPU.
  PortRun(const PortOf& of, bool as_checked, Terminal& terminal);

  /// Whether the oracle is fit to be asked; what it corrects of the device holds from here on.
  /// Where all is not as it should be, says so. Throws Error where an inference there rests on
  /// other facts. Returns the journal's path. Throws Stopped where it is to end.
  std::string check();

  /// What it does, by run_inference or run_invention; once more, from the same answers, where these
  /// leave one other map of its SMs.
  const Finding& infer(Finding (*by)(Oracle&, const InferenceRun&, Terminal&));

  /// In device.json: what the next stages go by, where they are run later.
  void keep_device() const;

  /// What was answered in one folder of ours counts in another, too.
  void take_over(const std::string& from, const std::string& to) const;

  std::unique_ptr<Oracle> opened() const;
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  /// A folder in which nothing was asked yet: NAME, NAME-2, ...
  std::string unused(const std::string& name) const;

  Port port;  ///< as far as it has come

 private:
  std::optional<RecordingSet> asked_in(const std::string& folder) const;
  Finding infer_in(const std::string& folder,
                   Finding (*by)(Oracle&, const InferenceRun&, Terminal&));

  const PortOf& of_;
  const std::filesystem::path folder_;
  Terminal& terminal_;
};

}  // namespace cuvier
