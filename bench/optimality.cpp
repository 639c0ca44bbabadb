// How far an inference is from the fewest probes possible: on small spaces, against the optimum
// over a pool of probes and against simpler ways to ask. docs/design/measured/questions.md has the
// table.

#include "bench/options.h"
#include "bench/outcome_table.h"
#include "hypotheses/devices.h"
#include "solver/query_selection/random_distinction.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

struct Space {
  const char* name;
  const char* open;  ///< axes with all of their values; the others are Algorithm 1's
  const char* base;  ///< where not
};

constexpr Space kSpaces[] = {
    {"queue", "queue priority local_memory", ""},
    {"selection and ties", "selection tie_break cursor_reset", ""},
    {"groups", "selection group_selection group_turn", "hierarchy=tpc"},
    {"pairs of blocks", "batch_margin batch_lag selection", "dispatch_batch=pair"},
    {"warps", "warp_placement pointer_skip pointer_reset room_warps", ""},
    {"registers", "register_granularity register_pool register_layout warp_placement room_warps",
     ""},
    {"carve-out", "config_occupancy config_rounding config_scope config_gate", ""},
    {"shared memory", "shared_granularity runtime_shared shared_placement shared_room", ""},
};

Assumptions assumptions_of(const Space& space, const Device& device) {
  const Assumptions all = Assumptions::all(device);
  const Hypothesis base = *space.base ? hypothesis_from_text(space.base) : Hypothesis{};
  Assumptions some = all;
  for (int axis = 0; axis < kAxes; ++axis) some.allowed[axis] = 1u << base.values[axis];
  std::istringstream open(space.open);
  for (std::string name; open >> name;)
    some.allowed[*find_axis(name)] = all.allowed[*find_axis(name)];
  some.allowed[index_of<TieBreak>()] &= ~one_of(TieBreak::learned);
  return some;
}

/// How many probes `infer` needs where `planted` is true, not counting those that only confirm;
/// what it asked goes to the pool.
int infer_planted(const Device& device, const Assumptions& assumptions, const Hypothesis& planted,
                  std::uint64_t seed, std::vector<Probe>& pool) {
  const samples::Folder folder;
  SimulatedOracle oracle("planted", device, planted);
  Journal journal(folder.path("journal"), device, "planted");
  InferenceOptions options;
  options.seed = seed;
  const int probes = infer(oracle, journal, assumptions, options, {}).telling;
  for (const Recording& recording :
       read_recordings(folder.path("journal/journal.jsonl")).recordings) {
    pool.push_back(recording.probe);
  }
  return probes;
}

/// The average and the worst of numbers of probes.
struct Cost {
  double sum = 0;
  int worst = 0;
  int count = 0;

  void add(int probes) {
    sum += probes;
    worst = std::max(worst, probes);
    ++count;
  }
  std::string text() const { return fmt::format("{:.2f}, {}", sum / std::max(1, count), worst); }
};

/// How many behaviours there are at most: what the pool does not separate, and no proof joins.
int behaviours_at_most(const Device& device, const std::vector<Hypothesis>& members,
                       const OutcomeTable& table) {
  int behaviours = 0;
  for (const std::vector<int>& alike : table.members_of_class()) {
    std::vector<Hypothesis> hypotheses;
    for (const int member : alike) hypotheses.push_back(members[member]);
    constexpr int most_classes = 100;
    behaviours += static_cast<int>(classify(device, hypotheses, {}, {}, most_classes, nullptr,
                                            told_apart_by_families(device, {}))
                                       .classes.size());
  }
  return behaviours;
}

/// The questions of somebody who takes any probe, or any that tells two of those left apart.
Cost at_random(const OutcomeTable& table, bool distinguishing, int runs, Rng& rng) {
  Cost cost;
  for (int truth = 0; truth < table.classes(); ++truth) {
    for (int run = 0; run < runs; ++run) {
      Subset left = table.all();
      int probes = 0;
      for (; left.size() > 1; ++probes) {
        int probe = uniform(rng, 0, table.probes() - 1);
        if (distinguishing) {
          const int a = left[uniform(rng, 0, static_cast<int>(left.size()) - 1)];
          int b = a;
          while (b == a) b = left[uniform(rng, 0, static_cast<int>(left.size()) - 1)];
          while (table.outcome(probe, a) == table.outcome(probe, b)) {
            probe = uniform(rng, 0, table.probes() - 1);
          }
        }
        left = table.left(left, probe, truth);
      }
      cost.add(probes);
    }
  }
  return cost;
}

void measure(const Space& space, const Device& device, const Options& options) {
  Rng rng(options.number("--seed"));
  const Assumptions assumptions = assumptions_of(space, device);
  VersionSpace version_space(device, assumptions);
  const std::vector<Hypothesis> members = *version_space.members(100'000);

  std::vector<Probe> pool;
  Cost inferred;
  std::vector<Hypothesis> planted = members;
  std::ranges::shuffle(planted, rng);
  planted.resize(std::min<std::size_t>(planted.size(), options.number("--planted")));
  for (const Hypothesis& truth : planted) {
    inferred.add(infer_planted(device, assumptions, truth, rng() % 1000, pool));
  }
  for (int i = 0; i < options.number("--pool"); ++i) pool.push_back(random_probe(device, rng));
  for (int i = 0; i < options.number("--pool"); ++i) {
    pool.push_back(mutate(pool[uniform(rng, 0, static_cast<int>(pool.size()) - 1)], device, rng));
  }

  const OutcomeTable table(device, members, pool);
  const int most_outcomes = table.most_outcomes();
  Optimum optimum(table, options.number("--steps"));
  const std::optional<double> least_sum = optimum.of(Optimum::Goal::average);
  const std::optional<double> least_worst = optimum.of(Optimum::Goal::worst);
  const int classes = table.classes();
  Cost greedy;
  table.greedy(table.all(), 0, [&](int probes) { greedy.add(probes); });

  const std::string best =
      fmt::format("{}, {}", least_sum ? fmt::format("{:.2f}", *least_sum / classes) : "?",
                  least_worst ? fmt::format("{:.0f}", *least_worst) : "?");
  fmt::print("| {} | {} | {} to {} | {} | {:.2f}, {:.0f} | {} | {} | {} | {} | {} |\n", space.name,
             members.size(), classes, behaviours_at_most(device, members, table), most_outcomes,
             least_depth_sum(classes, most_outcomes) / classes, least_depth(classes, most_outcomes),
             best, greedy.text(), at_random(table, true, options.number("--runs"), rng).text(),
             at_random(table, false, options.number("--runs"), rng).text(), inferred.text());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Numbers of probes against the fewest possible",
                        {{"--device", "", "a device; none: 8 SMs of round numbers"},
                         {"--only", "", "one space, by its name"},
                         {"--pool", "1000", "probes of families, and as many mutations"},
                         {"--planted", "24", "inferences for each space"},
                         {"--runs", "20", "runs of random questions for each behaviour"},
                         {"--steps", "3000000", "of the search for the optimum, at most"},
                         {"--seed", "1", "of everything"}});
  const Device device =
      options.text("--device").empty() ? small_device(8) : find_device(options.text("--device"));
  fmt::print(
      "{}; average, worst\n\n| open | hypotheses | behaviours | outcomes | bound | optimum "
      "| greedy | any pair | random | infer |\n| - | - | - | - | - | - | - | - | - | - |\n",
      device.name);
  for (const Space& space : kSpaces) {
    const std::string& only = options.text("--only");
    if (only.empty() || only == space.name) measure(space, device, options);
  }
}
