#include "solver/finding.h"

namespace cuvier {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::identified: return "identified";
    case Verdict::ambiguous: return "ambiguous";
    case Verdict::refuted: return "refuted";
    case Verdict::undecided: return "undecided";
  }
  return "undecided";
}

}  // namespace cuvier
