#pragma once

#include <optional>
#include <string>

#include "solver/smt/smt_query.h"
#include "uses/fits/demand.h"

namespace cuvier {

/// A claim about all schedulers as an SMT-LIB 2 query, whose answer is `unsat` if it holds.
struct Claim {
  std::string smt2;
  std::string sentence;  ///< what `unsat` proves
};

/// That no block of the first so many kinds is ever left without room: neither is there a content
/// of an SM without room that has none of the listed ones in it, nor do the other blocks suffice to
/// fill every SM with a listed one. Blocks of the other kinds are resident, wherever that is. None
/// where there are too many to list.
std::optional<Claim> nothing_is_stranded(const Device& device, const std::vector<Kernel>& kinds,
                                         int asked, int carve_out);

/// That the device does not hold all blocks of these kinds at once, wherever they are put. None
/// where there is too much to list.
std::optional<Claim> all_do_not_fit(const Device& device, const std::vector<Kernel>& kinds);

/// What a solver says of the claim; `unsat` where it is proved.
struct AnsweredClaim {
  Claim claim;
  SmtAnswer answer;

  bool holds() const { return answer.kind == SmtAnswer::Kind::unsat; }
};
AnsweredClaim prove(Claim claim, const SmtLimits& limits);

}  // namespace cuvier
