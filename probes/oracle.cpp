#include "probes/oracle.h"

namespace cuvier {

Recording Answer::recording(const Probe& probe, bool fresh,
                            std::shared_ptr<const InitialObservation> opening) const {
  Recording all{probe, facts, fresh, {}, fresh ? std::move(opening) : nullptr};
  return exact ? first_steps(std::move(all), *exact) : all;
}

void Oracle::hold_sessions(int count, const Session& session) {
  for (int number = 0; number < count; ++number) {
    begin_session();
    session(*this, number, [](const std::function<void()>& follows) { follows(); });
  }
}

}  // namespace cuvier
