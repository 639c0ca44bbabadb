#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

class Place;

/// What ran on the idle device as a session began, and where its blocks were seen to go; best as
/// many small ones as the device has slots for. Taken as given: it is no evidence, and says only
/// in which state the session goes on.
class InitialObservation {
 public:
  /// `facts` as a recording has them. Fails at `place` unless the script only launches and the
  /// facts tell the SM of every block.
  InitialObservation(Probe probe, std::vector<Fact> facts, const Place& place);

  const Probe& probe() const { return probe_; }
  const std::vector<Fact>& facts() const { return facts_; }

  struct Latest {
    int sm = 0;
    int kernel = 0;           ///< index into Probe::kernels
    std::optional<int> slot;  ///< %warpid of its last warp, where that was seen

    bool operator==(const Latest&) const = default;
  };

  /// The last block on each SM that got one, in the order in which they came.
  const std::vector<Latest>& latest() const { return latest_; }

  bool operator==(const InitialObservation&) const = default;

 private:
  /// The kernel's blocks that started in this step; how many they are.
  int take(int step, int kernel, const Place& place);

  Probe probe_;
  std::vector<Fact> facts_;
  std::vector<Latest> latest_;
};

/// Reads a line of type "opening", which has the fields of a recording. Throws Error.
InitialObservation opening_from_json(const nlohmann::ordered_json& json, const Device& device,
                                     const std::string& where);

nlohmann::ordered_json to_json(const InitialObservation& opening);

}  // namespace cuvier
