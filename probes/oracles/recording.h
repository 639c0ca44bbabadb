#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/oracle.h"

namespace cuvier {

/// Answers what recordings of one device know, and refuses the rest as `not_recorded`.
/// A probe is recognised by its kernels and script, whatever its name.
///
/// Each recording is given out once: a second answer would be no second observation. One
/// that ran after another in a session holds only after that one, so such recordings answer
/// in the order of the catalogue, from any start of a session on.
class RecordingOracle : public Oracle {
 public:
  explicit RecordingOracle(const std::string& path);
  /// Of several files, whose sets these are. Not empty.
  RecordingOracle(std::string name, std::vector<RecordingSet> sets);

  const Device& device() const override { return set_.device; }
  std::string description() const override { return "recording:" + name_; }
  bool answers_anything() const override { return false; }

  /// The probe of every recording in their order, repeated ones repeatedly.
  std::vector<Probe> catalogue() const override;

  /// At least one answer, and at most as many as stand in a row in one session.
  std::vector<Answer> run(const Probe& probe, int repeat) override;

  int session() const override { return session_; }
  std::shared_ptr<const InitialObservation> opening() const override;

 private:
  /// Whether recording `index` may be the next answer to the probe.
  bool may_answer(std::size_t index, const Probe& probe) const;
  Answer give(std::size_t index);

  std::string name_;
  RecordingSet set_;
  std::vector<bool> given_;
  std::optional<std::size_t> last_given_;
  int session_ = 0;
};

}  // namespace cuvier
