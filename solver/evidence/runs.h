#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// Ends the name of a probe that was asked again where nothing ran before it.
inline constexpr std::string_view kAlone = "-alone";

/// By so many runs an outcome must lead every other to count. Where nine runs in ten are
/// right, each of them makes it nine times as likely: after three, 99.8 % against the next best.
constexpr int kLead = 3;

/// The same where something contradicts it: one to 5 million against an outcome of noise.
constexpr int kFirmLead = 7;

/// All runs of one probe, each of a session of its own: under any hypothesis they are alike,
/// so where they differ, some are wrong. (That holds of sessions that began alike. Where they have
/// openings, those that opened as most did are compared, and the others count for nothing.) Each
/// part (what a step shows of a kernel) is put to the vote on its own: runs of many blocks may
/// all be wrong somewhere.
class Runs {
 public:
  explicit Runs(Recording first);

  void add(Recording run);

  /// Whether it is a run of this probe: one of its name that asks the same, as far as the two were
  /// recorded (runs may be exact to different steps).
  bool are_of_probe_in(const Recording& run) const;

  const Probe& probe() const { return all_.front().probe; }
  const std::vector<Recording>& all() const { return all_; }
  int count() const { return static_cast<int>(all_.size()); }

  /// How many are compared.
  int comparable() const { return static_cast<int>(compared().size()); }

  /// By how many runs the leading outcome leads, where it leads by least.
  int lead() const;

  /// The same among the parts of outcome() only.
  int lead_of_outcome() const;

  /// The probe as far as every part is settled, with the leading outcome of each: what
  /// follows a step that is not settled is unknown, and so left out.
  Recording outcome() const;

  /// Runs that say otherwise than outcome() does.
  int differing() const;

 private:
  using Part = std::pair<int, int>;  ///< step and kernel

  struct Vote {
    std::vector<Fact> leading;
    int lead = 0;
  };

  static std::map<Part, std::vector<Fact>> parts_of(const Recording& run);
  std::vector<const Recording*> compared() const;
  std::map<Part, Vote> votes() const;

  /// The number of steps that all of them have.
  int steps() const;

  /// The number of steps before the first that is not settled.
  int settled_steps(const std::map<Part, Vote>& votes) const;

  int lead_before(int step, const std::map<Part, Vote>& votes) const;

  std::vector<Recording> all_;  ///< equal openings are one and the same
};

}  // namespace cuvier
