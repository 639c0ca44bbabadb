#pragma once

#include "probes/oracles/forwarded_oracle.h"

namespace cuvier {

/// Several oracles of one kind, which hold sessions at the same time: what comes out is what the
/// first would answer alone, sooner. All else is asked of the first.
class SideBySide : public ForwardedOracle {
 public:
  /// Not empty. Throws Error where their devices differ.
  explicit SideBySide(std::vector<std::unique_ptr<Oracle>> oracles);

  void hold_sessions(int count, const Session& session) override;

 private:
  std::vector<std::unique_ptr<Oracle>> others_;
};

}  // namespace cuvier
