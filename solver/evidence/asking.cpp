#include "solver/evidence/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ranges>
#include <utility>

#include "probes/an_error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostRefusals = 50;

// Runs of one probe: to settle it at first, and where it contradicts others.
constexpr int kMostAtFirst = 50;
constexpr int kMostAgain = 500;

// Of so many sessions, a few began alike, or there is nothing to compare.
constexpr int kEnoughToBeginAlike = 12;

}  // namespace

Asking::Asking(Oracle& oracle, Journal& journal, int repeat, Timekeeper& timekeeper, Note note,
               Note progress)
    : oracle_(oracle),
      journal_(journal),
      repeat_(repeat),
      timekeeper_(timekeeper),
      note_(std::move(note)),
      progress_(std::move(progress)),
      independent_(repeat > 1 && oracle.begin_session()),
      session_(oracle.session()),
      answered_(journal.recorded().recordings.size()) {}

std::vector<Runs> Asking::recorded() const {
  std::vector<Runs> probes;
  for (const Recording& recording : journal_.recorded().recordings) {
    if (oracle_.answers_anything() && recording.name().ends_with(kAlone)) continue;
    const auto known = std::ranges::find_if(
        probes, [&](const Runs& runs) { return runs.are_of_probe_in(recording); });
    if (independent_ && !recording.fresh) {
      throw Error(recording.where +
                  ": ran after others in its session: this journal was made without --repeat; go "
                  "on without it, or name another folder");
    }
    if (known == probes.end()) {
      probes.emplace_back(recording);
    } else if (!independent_ && recording.fresh && oracle_.answers_anything()) {
      throw Error(recording.where +
                  ": the same probe in a session of its own once more: this journal was made with "
                  "--repeat; give that again, or name another folder");
    } else {
      known->add(recording);
    }
  }
  return probes;
}

std::vector<Recording> Asking::run(const Probe& probe, int repeat, const std::string& why,
                                   double bits) {
  if (std::exchange(apart_, false)) oracle_.begin_session();
  const bool expected = oracle_.session_is_over();
  std::vector<Answer> answers = wait_for(probe, repeat);
  if (oracle_.session() != session_) {
    session_ = oracle_.session();
    fresh_ = true;
    if (oracle_.answers_anything() && !expected && !probe.name.ends_with(kAlone)) {
      progress_(fmt::format("{}: began a new session", oracle_.description()));
    }
  }
  std::vector<Recording> recordings;
  for (Answer& answer : answers) {
    recordings.push_back(journal_.append(probe, std::move(answer), fresh_, oracle_.opening(),
                                         {{"why", why}, {"bits", bits}}));
    ++answered_;
    fresh_ = false;
  }
  return recordings;
}

std::vector<Answer> Asking::wait_for(const Probe& probe, int repeat) {
  const Timekeeper::Doing waiting(timekeeper_, &Spent::waiting);
  return oracle_.run(probe, repeat);
}

/// `taken` may be what moves the probe that was handed in: so this has its own.
void Asking::run_apart(Probe probe, int sessions, const std::string& why, double bits,
                       const std::function<void(Recording)>& taken) {
  const Timekeeper::Doing waiting(timekeeper_, &Spent::waiting);
  oracle_.hold_sessions(sessions, [&](Oracle& oracle, int, const Oracle::Then& then) {
    const Answer answer = oracle.run(probe, 1).front();
    then([&, answer, opening = oracle.opening()] {
      opening_ = opening;
      taken(journal_.append(probe, answer, true, opening, {{"why", why}, {"bits", bits}}));
      ++answered_;
    });
  });
}

std::optional<Runs> Asking::ask(const Probe& probe, const Candidate& candidate) {
  std::optional<Runs> runs;
  const auto take = [&](Recording recording) {
    if (runs) {
      runs->add(std::move(recording));
    } else {
      runs.emplace(std::move(recording));
    }
  };
  try {
    if (independent_) {
      run_apart(probe, std::max(repeat_, kLead), candidate.why, candidate.bits, take);
    } else {
      for (Recording& recording : run(probe, repeat_, candidate.why, candidate.bits)) {
        take(std::move(recording));
      }
    }
  } catch (const OracleRefusal& refusal) {
    if (runs) {
      settle(*runs);
      return runs;
    }
    refused(probe, refusal);
    return std::nullopt;
  }
  if (!same_question(runs->probe(), probe)) cut_.push_back(probe);
  if (independent_) settle(*runs);
  return runs;
}

void Asking::refused(const Probe& probe, const OracleRefusal& refusal) {
  note_(fmt::format("{}: the oracle refused it ({}): {}", probe.name, refusal.code(),
                    refusal.what()));
  refused_.push_back(probe);
  if (refused_.size() > kMostRefusals + answered_ && oracle_.answers_anything()) {
    throw Error(fmt::format("{}: refused {} probes; the last: {}", oracle_.description(),
                            refused_.size(), refusal.what()),
                Error::Kind::oracle);
  }
}

void Asking::ask_apart(const Sessions& sessions, const std::function<Probe(Probe)>& named,
                       const std::function<Next(Runs, const Candidate&)>& taken, const Task& task) {
  const Timekeeper::Doing waiting(timekeeper_, &Spent::waiting);
  apart_ = true;
  std::atomic<bool> enough = false;
  // Who asks and who is told may be two threads: what was asked after the end is not told.
  std::vector<std::atomic<bool>> over(sessions.size());
  const auto hold = [&](Oracle& oracle, int number, const Oracle::Then& then) {
    std::optional<int> session;
    for (const Candidate& candidate : sessions[number]) {
      if (enough || over[number]) return;
      std::optional<Answer> answer;
      std::optional<OracleRefusal> refusal;
      try {
        answer = oracle.run(candidate.probe, 1).front();
      } catch (const OracleRefusal& refused) {
        refusal = refused;
      }
      const bool fresh = answer && std::exchange(session, oracle.session()) != oracle.session();
      then([&, number, answer, refusal, fresh, opening = oracle.opening()] {
        if (over[number]) return;
        const Probe probe = named(candidate.probe);
        try {
          if (refusal) throw OracleRefusal(*refusal);
          Recording seen = journal_.append(probe, *answer, fresh, opening,
                                           {{"why", candidate.why}, {"bits", candidate.bits}});
          ++answered_;
          if (!same_question(seen.probe, probe)) cut_.push_back(probe);
          const Next next = taken(Runs(std::move(seen)), candidate);
          if (next != Next::probe) over[number] = true;
          if (next == Next::nothing) std::ranges::fill(over | std::views::drop(number), true);
        } catch (const OracleRefusal& refused) {
          this->refused(probe, refused);
        }
        if (task.is_to_end()) enough = true;
      });
    }
  };
  oracle_.hold_sessions(static_cast<int>(sessions.size()), hold);
}

void Asking::settle(Runs& runs) {
  while (runs.count() < repeat_ || runs.lead() < kLead) {
    const int more = std::max(repeat_ - runs.count(), kLead - runs.lead());
    if (runs.count() >= kEnoughToBeginAlike && runs.comparable() < kLead) {
      throw an_error(
          "{}: of {} sessions no {} opened alike, so their answers cannot be "
          "put to the vote; go on without --repeat, in another folder",
          oracle_.description(), runs.count(), kLead);
    }
    if (runs.count() >= std::max(repeat_, kMostAtFirst)) return;
    if (!read_on(runs, more, "to settle its outcome")) return;
  }
}

void Asking::ask_again(Runs& runs) {
  while (runs.lead_of_outcome() < kFirmLead && runs.count() < kMostAgain) {
    const int more = kFirmLead - runs.lead_of_outcome();
    if (!read_on(runs, more, "contradicted, asked again")) return;
  }
}

std::optional<Recording> Asking::ask_alone(Probe probe) {
  probe.name += kAlone;
  for (const Recording& known : journal_.recorded().recordings) {
    if (known.probe == probe) return known;
  }
  if (!begin_session()) return std::nullopt;
  try {
    return run(probe, 1, "contradicted, asked in a session of its own", 0).front();
  } catch (const OracleRefusal& refusal) {
    note_(fmt::format("{}: refused now ({}): {}", probe.name, refusal.code(), refusal.what()));
    return std::nullopt;
  }
}

bool Asking::read_on(Runs& runs, int count, const std::string& why) {
  try {
    run_apart(runs.probe(), count, why, 0,
              [&](Recording recording) { runs.add(std::move(recording)); });
    return true;
  } catch (const OracleRefusal& refusal) {
    note_(
        fmt::format("{}: refused now ({}): {}", runs.probe().name, refusal.code(), refusal.what()));
    return false;
  }
}

}  // namespace cuvier
