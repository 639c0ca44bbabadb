#include "solver/proof/query_trace.h"

namespace cuvier {

UnknownSms::UnknownSms(const Device& device) : near_(device), changes_(device.sms) {
  for (int sm = 0; sm < device.sms; ++sm) {
    const auto unknown = [&](std::string_view what) {
      return named_int(fmt::format("{}.{}", what, sm));
    };
    Seen<Selection, TermInt> seen;
    for (std::size_t name = 0; name < std::size(Selection::names); ++name) {
      seen.values[name] = unknown(Selection::names[name].name);
    }
    seen["sm"] = sm;
    seen["gpc"] = near_.of_sm[sm]["gpc"];
    seen["sms_of_gpc"] = near_.of_sm[sm]["sms_of_gpc"];
    sms_.push_back(
        {named_bool(fmt::format("fits.{}", sm)), unknown("room"), unknown("usage"), seen});
  }
  // The same for all SMs. What is not listed is another number of each: less is proved then.
  for (const auto name :
       std::initializer_list<NameOf<Selection>>{"w", "registers", "bytes", "priority", "placed",
                                                "left", "joined", "device_blocks", "picks"}) {
    assume(name, named_int(std::string(Selection::names[name].name)));
  }
  assume("sms", device.sms);
}

namespace {

TermInt known_or_term(const z3::expr& key) {
  return key.is_numeral() ? TermInt(key.get_numeral_int()) : TermInt(key);
}

}  // namespace

TermBool Question::is_answered(int answer) const {
  if (options.front().id < 0) {
    const TermBool yes(options.front().eligible);
    return answer == 1 ? yes : !yes;
  }
  const auto chosen = std::ranges::find(options, answer, &Option::id);
  const TermInt key = known_or_term(chosen->key);
  TermBool is(chosen->eligible);
  for (auto other = options.begin(); other != options.end(); ++other) {
    if (other == chosen) continue;
    const TermInt its = known_or_term(other->key);
    is = is && !(TermBool(other->eligible) && (other < chosen ? its <= key : its < key));
  }
  return is;
}

int QueryTrace::answer(Question question) {
  asked_.push_back(std::move(question));
  if (asked_.size() <= script_->size()) {
    // A script made for another's questions may not fit: then what was asked tells.
    return std::min((*script_)[asked_.size() - 1],
                    static_cast<int>(asked_.back().answers.size()) - 1);
  }
  if (choices_ == 0) choices_ = static_cast<int>(asked_.back().answers.size());
  return 0;
}

std::optional<int> Chooser::choose(const Cursors& from, std::optional<int> mate,
                                   const std::vector<int>& script) {
  trace_.begin(script);
  selector_.end_turn();  // what was asked of the SMs stays: so do their answers
  selector_.set_cursors(from);
  const NextBlock block{PlacingKernel(0, 0)};
  return selector_.select(block, mate, [&](int sm) {
    if (keys_show_) key_ = selector_.key_of_choice(block, sm);
  });
}

std::vector<std::vector<int>> Chooser::scripts(const Cursors& from, std::optional<int> mate) {
  std::vector<std::vector<int>> complete;
  std::vector<std::vector<int>> begun{{}};
  while (!begun.empty()) {
    const std::vector<int> script = std::move(begun.back());
    begun.pop_back();
    choose(from, mate, script);
    for (int i = 0; i < trace_.choices(); ++i) {
      begun.push_back(script);
      begun.back().push_back(i);
    }
    if (trace_.choices() == 0) complete.push_back(script);
  }
  return complete;
}

std::vector<Cursors> Chooser::positions(bool moved) const {
  Cursors start{std::vector<int>(groups_.size(), -1)};
  // Cursors beside these would have positions, too: that must not compile. Since when an SM was
  // not chosen, or not freed, what it received and how many picks there were are unknown numbers of
  // UnknownSms.
  [[maybe_unused]] const auto& [of_sms, of_groups, since, freed, received, picks] = start;
  std::vector<Cursors> positions;
  if (moved) {
    start.group = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) start.sm[g] = groups_[g].front();
  } else {
    positions.emplace_back();
  }
  for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
    positions.push_back(start);
    positions.back().group = group;
  }
  const auto largest = std::ranges::max(groups_, {}, &std::vector<int>::size).size();
  for (std::size_t member = 0; member < largest; ++member) {
    Cursors& cursors = positions.emplace_back(start);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      cursors.sm[g] = groups_[g][std::min(member, groups_[g].size() - 1)];
    }
  }
  return positions;
}

Cursors Chooser::cursors_that_matter() const {
  Cursors cursors = selector_.cursors();
  cursors.since = cursors.freed = cursors.received = {};
  cursors.picks = 0;
  if (groups_.size() == 1) cursors.group = -1;
  for (std::size_t g = 0; g < cursors.sm.size(); ++g) {
    if (groups_[g].size() == 1) cursors.sm[g] = -1;
  }
  if (cursors.at_start()) cursors.sm = {};
  return cursors;
}

}  // namespace cuvier
