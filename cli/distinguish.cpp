#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "hypotheses/devices.h"
#include "hypotheses/neighbours.h"
#include "reports/certificate/certificate.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/json_text.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/minimise.h"

namespace cuvier {
namespace {

struct DistinguishArguments {
  std::string a;
  std::string b;
  std::string device;
  std::string out;
  std::string all_pairs;
  ComparisonOptions options;
  const CLI::Option* time_limit = nullptr;
  bool minimize = false;
  bool json = false;

  /// Where a time was given, a lemma has no longer.
  ComparisonOptions comparison() const {
    ComparisonOptions limited = options;
    if (time_limit->count() > 0) {
      limited.limits.seconds = std::min(limited.limits.seconds, limited.seconds);
    }
    return limited;
  }
};

int distinguish_two(const DistinguishArguments& arguments, Terminal& terminal) {
  const Device device = find_device(arguments.device);
  const Hypothesis a = read_hypothesis(arguments.a, device);
  const Hypothesis b = read_hypothesis(arguments.b, device);
  const Task task = terminal.task();
  const auto start = std::chrono::steady_clock::now();
  Comparison comparison;
  bool one_minimal = false;
  std::string cut_short;
  try {
    comparison = compare(device, a, b, arguments.comparison(), task);
    if (comparison.distinction && arguments.minimize) {
      make_smaller(*comparison.distinction, device, a, b, arguments.options.seed, task);
      one_minimal = !comparison.distinction->likelihood;
    }
  } catch (const Stopped& early) {
    cut_short = early.why;
    if (!comparison.distinction) {
      comparison.kind = Comparison::Kind::not_distinguished;
      comparison.reason =
          fmt::format("{}: no difference found so far, and no proof that there is none ({})",
                      cut_short, task.latest());
    }
  } catch (const std::exception&) {  // what was found is as good without
    if (comparison.distinction) terminal.print(shown(comparison_page(comparison, device, a, b)));
    throw;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  comparison.seconds = took.count();  // with what making it smaller took
  if (comparison.distinction) comparison.distinction->probe.name = "distinguish";
  std::optional<Section> smallness;
  if (one_minimal) {
    smallness = smallness_section(comparison.distinction->probe);
  } else if (comparison.distinction && !cut_short.empty()) {
    smallness = {"How small it is", {Text(cut_short + ": the probe may not be the smallest.")}};
  }
  const Page page = comparison_page(comparison, device, a, b, smallness);
  if (arguments.json) {
    nlohmann::ordered_json json = comparison_json(comparison, device, a, b);
    if (one_minimal) json["one_minimal"] = true;
    if (!cut_short.empty()) json["cut_short"] = cut_short;
    terminal.print_json(report_file("comparison", json, page), 2);
  } else {
    terminal.print(shown(page));
  }
  if (comparison.distinction && !arguments.out.empty()) {
    write_json(arguments.out, to_json(comparison.distinction->probe), 2);
  }
  return cut_short.empty() ? exit_code(comparison.kind) : exit_ambiguous;
}

bool holds_anything(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::is_directory(folder) && !std::filesystem::is_empty(folder, none);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw an_error("{}: {}; name another folder", folder.string(), error.message());
}

void write_lemmas(const Proof& proof, const std::filesystem::path& folder) {
  make_folder(folder);
  for (const Lemma& lemma : proof.lemmas) {
    write_file((folder / (lemma.name + ".smt2")).string(), lemma_text(lemma));
  }
}

/// The catalogue of a hypothesis's neighbours. What is finished is in the folder, whatever happens
/// to a later pair.
class AllPairs {
 public:
  AllPairs(const DistinguishArguments& arguments, Terminal& terminal)
      : arguments_(arguments), folder_(arguments.all_pairs), terminal_(terminal) {
    catalogue_.device = find_device(arguments.device);
    catalogue_.seed = arguments.options.seed;
    if (!arguments.a.empty()) catalogue_.base = read_hypothesis(arguments.a, catalogue_.device);
    // A table has all that was compared: of another run it would have less, or something else.
    if (holds_anything(folder_)) throw Error(folder_.string() + ": is there already; name another");
    make_folder(folder_);
  }

  int run() {
    Rng rng(arguments_.options.seed);
    const std::vector<Hypothesis> changes =
        single_axis_changes(catalogue_.device, catalogue_.base, rng);
    for (const Hypothesis& changed : changes) {
      try {
        ++pairs_;
        add(changed, changes.size());
      } catch (const Stopped& cut_short) {
        cut_short_ = cut_short.why;
        --pairs_;
        break;
      } catch (const Error& error) {
        failed(changed, error.what(), exit_code(error.kind()));
      } catch (const std::exception& fault) {
        failed(changed, fmt::format("a fault of cuvier's own: {}", fault.what()), exit_fault);
      }
    }
    write_tables();
    terminal_.print(arguments_.json ? json_text(catalogue_json(catalogue_), 2) + '\n'
                                    : fmt::format("\n{}\ntable: {}\n", summary_words(catalogue_),
                                                  (folder_ / "table.md").string()));
    if (!cut_short_.empty()) {
      complain("{}: {} of {} pairs compared", cut_short_, pairs_, changes.size());
    }
    if (!failures_.empty()) return tell_failures();
    return cut_short_.empty() ? worst_ : std::max(worst_, exit_ambiguous);
  }

 private:
  void add(const Hypothesis& changed, std::size_t all) {
    const Device& device = catalogue_.device;
    CatalogueRow row;
    row.change = differences(catalogue_.base, changed);
    row.changed = changed;
    const Task task = task_.part(row.change, pairs_ - 1, all);
    row.comparison = compare(device, catalogue_.base, changed, arguments_.comparison(), task);
    if (auto& distinction = row.comparison.distinction) {
      make_smaller(*distinction, device, catalogue_.base, changed, arguments_.options.seed, task);
      distinction->probe.name = probe_name(row);
      write_json((folder_ / (probe_name(row) + ".json")).string(), to_json(distinction->probe), 2);
    }
    if (row.comparison.proof) write_lemmas(*row.comparison.proof, folder_ / probe_name(row));
    worst_ = std::max(worst_, exit_code(row.comparison.kind));
    if (!arguments_.json) terminal_.print(row_line(row) + '\n');
    catalogue_.rows.push_back(std::move(row));
    write_tables();
  }

  void failed(const Hypothesis& changed, const std::string& why, ExitCode code) {
    if (failures_.empty()) first_failure_ = code;
    failures_.push_back(fmt::format("{}: {}", differences(catalogue_.base, changed), why));
  }

  void write_tables() const {
    write_file((folder_ / "table.md").string(), catalogue_markdown(catalogue_));
    write_json((folder_ / "table.json").string(), catalogue_json(catalogue_), 2);
  }

  int tell_failures() const {
    for (const std::string& failure : failures_) complain(failure);
    complain("{} of {} pairs failed; {} has the others", failures_.size(), pairs_,
             (folder_ / "table.md").string());
    return first_failure_;
  }

  const DistinguishArguments& arguments_;
  const std::filesystem::path folder_;
  Catalogue catalogue_;
  Terminal& terminal_;
  const Task task_ = terminal_.task();
  std::string cut_short_;  ///< why it ended early
  int pairs_ = 0;
  ExitCode worst_ = exit_done;
  ExitCode first_failure_ = exit_done;
  std::vector<std::string> failures_;  ///< pair and reason
};

int distinguish(const DistinguishArguments& arguments, Terminal& terminal) {
  if (!arguments.all_pairs.empty()) return AllPairs(arguments, terminal).run();
  if (arguments.b.empty()) {
    throw Error(
        "distinguish needs two hypotheses, A and B, or --all-pairs DIR (see cuvier "
        "distinguish --help)");
  }
  return distinguish_two(arguments, terminal);
}

void declare_distinguish(Options& options, DistinguishArguments& arguments) {
  options.add("A", arguments.a, "A hypothesis")->required(false)->type_name("HYPOTHESIS");
  CLI::Option* const b =
      options.add("B", arguments.b, "Another")->required(false)->type_name("HYPOTHESIS");
  options.device(arguments.device)->required();
  CLI::Option* const out = options.output("--out PROBE.json", arguments.out,
                                          "Write the probe to this file, if there is one");
  options
      .add("--all-pairs DIR", arguments.all_pairs, "Compare A with each of its neighbours instead")
      ->excludes(out)
      ->excludes(b);
  arguments.time_limit = options.time_limit(arguments.options.seconds,
                                            "Search each pair for at most so many seconds; if "
                                            "given, each lemma of a proof has that long, too");
  options.seed(arguments.options.seed);
  options.flag("--minimize", arguments.minimize,
               "Make the probe as small as can be found (--all-pairs always does)");
  options.json(arguments.json, "Print it for programs, and for `cuvier report`");
  options.progress();
}

}  // namespace

Command distinguish_command() {
  return {"distinguish",
          "A probe on which two hypotheses differ, or that there is none",
          R"(Shows a probe whose blocks go elsewhere under A than under B, or how it is known that
there is none. With --all-pairs, compares A (algorithm-1 if not given) with each
hypothesis that differs from it in one axis; a new DIR gets table.md, table.json, the probes,
each as small as can be found, and a folder with the lemmas of each proof. The exit code is then
the largest of its rows'; if a pair fails, the others are compared all the same, and the exit code
says how the first one failed. Ctrl-C ends it with the pairs compared so far (exit code 10).)",
          R"(  cuvier distinguish algorithm-1 round-robin --device rtx3090
  cuvier distinguish bfa bfa,shared_placement=best_fit --device h200 --out probe.json
  cuvier distinguish algorithm-1 findings/mine/model.json --device rtx3090 --json
  cuvier distinguish --all-pairs catalogue --device rtx3090)",
          {{exit_done,
            "known: different, by the probe shown, or equivalent, by a proof (--json says which)"},
           {exit_ambiguous,
            "not distinguished: no difference found, no proof that there is none; or Ctrl-C ended "
            "it early, with what is known so far"},
           {exit_undecided, "undecided: a solver gave up"}},
          with(declare_distinguish, distinguish)};
}

}  // namespace cuvier
