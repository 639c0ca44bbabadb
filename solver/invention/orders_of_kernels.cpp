#include <utility>

#include "hypotheses/axes/priority.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/key_table.h"
#include "solver/invention/lists.h"
#include "solver/invention/placements.h"

namespace cuvier {

std::vector<std::string> orders_of_kernels(const std::vector<Placement>& turns, std::uint32_t names,
                                           const std::string& own) {
  const FormulaInfo& axis = Priority::formula;
  // What reads whose block came before is learned of those turns alone before which that shows.
  std::uint32_t lasting = names;
  for (const int name : {NameOf<Priority>("turn"), NameOf<Priority>("streak"),
                         NameOf<Priority>("later"), NameOf<Priority>("head")}) {
    lasting &= ~(1u << name);
  }
  std::vector<Placement> known = turns;
  std::erase_if(known, [](const Placement& turn) { return !turn.is_latest_known; });
  std::vector<std::vector<std::string>> lists;
  for (const auto& [of, read] : {std::pair(&turns, lasting), {&std::as_const(known), names}}) {
    const KeyTable table(axis, *of, read);
    lists.push_back(keys_that_choose(table));
    lists.push_back(any_keys_that_choose(table));
    lists.push_back(own_and_a_condition(axis, *of, read, own));
  }
  const std::vector<std::string> all = joined(std::move(lists));
  return smallest_in_range(axis, all, all.size());
}

}  // namespace cuvier
