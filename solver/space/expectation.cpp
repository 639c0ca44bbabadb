#include "solver/space/expectation.h"

#include <algorithm>

#include "hypotheses/axes/warp_placement.h"

namespace cuvier {

Expectation::Expectation(const Recording& recording, int sms)
    : kernels_(static_cast<int>(recording.probe.kernels.size())),
      leaves_in_parts_(recording.probe.kernels.size()),
      tells_any_(recording.probe.kernels.size()),
      at_(recording.probe.script.size() * recording.probe.kernels.size(), -1) {
  for (const Action& action : recording.probe.script) {
    for (const Release& release : action.releases) {
      if (!release.blocks.empty()) leaves_in_parts_[release.kernel] = true;
    }
  }
  for (const Fact& fact : recording.facts) {
    if (fact.kind == Fact::Kind::shared_config) {
      shared_configs_[fact.kernel] = fact.values[0];
      continue;
    }
    int& at = at_[fact.step * kernels_ + fact.kernel];
    if (at < 0) {
      at = static_cast<int>(constraints_.size());
      constraints_.emplace_back();
    }
    Constraint& c = constraints_[at];
    c.blocks = recording.probe.kernels[fact.kernel].blocks;
    const auto exactly = [&](int count) {
      c.at_least = std::max(c.at_least, count);
      c.at_most = std::min(c.at_most, count);
    };
    switch (fact.kind) {
      case Fact::Kind::sm:
        c.exactly = fact.values;
        c.blocks_on.assign(sms, {});
        for (int i = 0; i < std::ssize(fact.values); ++i) c.blocks_on[fact.values[i]].push_back(i);
        tells_any_[fact.kernel] = true;
        exactly(static_cast<int>(fact.values.size()));
        break;
      case Fact::Kind::sm_set:
        c.among.emplace(sms, false);
        for (const int sm : fact.values) (*c.among)[sm] = true;
        exactly(static_cast<int>(fact.values.size()));
        break;
      case Fact::Kind::started:
        exactly(fact.values[0]);
        break;
      case Fact::Kind::starts:
        if (fact.values[0]) {
          c.at_least = std::max(c.at_least, 1);
        } else {
          c.at_most = 0;
        }
        break;
      case Fact::Kind::complete:
        c.complete = fact.values[0] != 0;
        break;
      case Fact::Kind::warp_slot:
        c.routes = fact.slots.by_block();
        tells_any_[fact.kernel] = true;
        for (auto& route : c.routes) {
          for (int& slot : route) slot %= kSubpartitions;
        }
        exactly(static_cast<int>(fact.slots.size()));
        break;
      case Fact::Kind::shared_config:
        break;
    }
  }
}

const Expectation::Constraint* Expectation::find(int step, int kernel) const {
  const int at = at_[step * kernels_ + kernel];
  return at < 0 ? nullptr : &constraints_[at];
}

int Expectation::number_of(const Constraint& c, int sm, int first, int last) {
  const std::vector<int>& there = c.blocks_on[sm];
  return static_cast<int>(std::ranges::lower_bound(there, last) -
                          std::ranges::lower_bound(there, first));
}

bool Expectation::allows(int step, int kernel, const std::vector<int>& started_on, int sm,
                         int later, int blocks) const {
  const Constraint* c = find(step, kernel);
  if (!c) return true;
  const int first = static_cast<int>(started_on.size()) + later;
  if (first + blocks > c->at_most) return false;
  if (c->exactly && number_of(*c, sm, first, first + blocks) == 0) return false;
  return !c->among || ((*c->among)[sm] && std::ranges::find(started_on, sm) == started_on.end());
}

bool Expectation::allows_more_than(int blocks, int step, int kernel,
                                   const std::vector<int>& started_on, int sm) const {
  const Constraint* c = find(step, kernel);
  const int first = static_cast<int>(started_on.size());
  if (!c || !c->exactly || first >= c->at_most) return allows(step, kernel, started_on, sm);
  return number_of(*c, sm, first, c->at_most) > blocks;
}

bool Expectation::allows_behind(int step, int kernel, const std::vector<int>& started_on, int sm,
                                int later, int blocks) const {
  const Constraint* c = find(step, kernel);
  if (!c || !c->exactly) return true;
  const int first = static_cast<int>(started_on.size()) + later + 1;
  const int last = std::min(first + blocks, c->at_most);
  return first < last && allows(step, kernel, started_on, sm, later + 1, last - first);
}

bool Expectation::allows_any(int step, int kernel, const std::vector<int>& started_on,
                             int later) const {
  const Constraint* c = find(step, kernel);
  if (!c) return true;
  const int count = static_cast<int>(started_on.size()) + later;
  if (count >= c->at_most) return false;
  // Of those that are `among`, one is left: there are as many as blocks, which all took another.
  return !c->exactly || allows(step, kernel, started_on, (*c->exactly)[count], later);
}

Expectation::Numbers Expectation::tells_numbers(int step, int kernel) const {
  const Constraint* c = find(step, kernel);
  if (c && c->exactly) return Numbers::told;
  if ((c && !c->routes.empty()) || leaves_in_parts_[kernel]) return Numbers::show;
  return tells_any_[kernel] ? Numbers::later : Numbers::untold;
}

bool Expectation::satisfied(int step, int kernel, int started) const {
  const Constraint* c = find(step, kernel);
  if (!c) return true;
  if (started < c->at_least || started > c->at_most) return false;
  return !c->complete || *c->complete == (started == c->blocks);
}

const std::vector<int>* Expectation::route(int step, int kernel, int nth) const {
  const Constraint* c = find(step, kernel);
  return c && nth < static_cast<int>(c->routes.size()) ? &c->routes[nth] : nullptr;
}

}  // namespace cuvier
