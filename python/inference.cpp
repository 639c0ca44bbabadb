#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <set>
#include <variant>

#include "probes/an_error.h"
#include "probes/oracles/side_by_side.h"
#include "python/long_work.h"
#include "python/module.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "reports/finding/model_json.h"
#include "reports/inference/inference_folder.h"
#include "reports/invention/inventor.h"

namespace cuvier {

namespace py = pybind11;

namespace {

using Listener = std::function<void(const std::string&)>;

/// Tells a line of each probe that tells something; with Python's lock.
InferenceListener telling(const std::optional<Listener>& told, const Task& task) {
  if (!told) return {{}, {}, task, {}};
  const auto tell = [told](const std::string& line) {
    const py::gil_scoped_acquire locked;
    (*told)(line);
  };
  const auto step = [tell](const InferenceStep& asked) {
    if (tells_something(asked)) tell(step_line(asked));
  };
  return {step, tell, task, tell};
}

/// In the run's folder, where what is found is kept.
Finding infer_there(Oracle& oracle, const InferenceRun& run, const std::optional<Listener>& told,
                    const Task& task) {
  InferenceFolder folder(run.folder, oracle, run.assumptions);
  if (folder.answers() > 0 && !run.resume) {
    throw an_error(
        "{}: holds {} of an earlier inference: resume=True goes on from there, or "
        "name another folder",
        folder.journal().path(), counted(folder.answers(), "answer"));
  }
  Finding finding = folder.infer(oracle, run.options, telling(told, task));
  folder.keep(finding, task);
  return finding;
}

/// The same, and rules are proposed where no hypothesis explains the answers.
Finding invent_there(Oracle& oracle, const InferenceRun& run, const std::optional<Listener>& told,
                     const Task& task) {
  const auto say = [&](const std::string& lines) {
    const py::gil_scoped_acquire locked;
    if (told) (*told)(lines);
  };
  return invent(oracle, run,
                {[&](Oracle& asked, const InferenceRun& within) {
                   return infer_there(asked, within, told, task);
                 },
                 say, [&](const Page& page) { say(page_text(page)); }, task});
}

using Oracles = std::variant<Oracle*, std::vector<Oracle*>>;

/// One is asked as it is.
std::unique_ptr<Oracle> side_by_side(const Oracles& given) {
  const auto* one = std::get_if<Oracle*>(&given);
  const auto oracles = one ? std::vector{*one} : std::get<std::vector<Oracle*>>(given);
  const std::set<Oracle*> distinct(oracles.begin(), oracles.end());
  if (distinct.empty()) throw Error("oracle: the list is empty; name at least one");
  if (distinct.contains(nullptr)) throw Error("None is no oracle");
  if (distinct.size() < oracles.size()) {
    throw Error("oracle: one is in the list twice, and is asked one thing at a time; make another");
  }
  std::vector<std::unique_ptr<Oracle>> all;
  for (Oracle* oracle : oracles) all.push_back(std::make_unique<ForwardedOracle>(*oracle));
  if (all.size() == 1) return std::move(all.front());
  return std::make_unique<SideBySide>(std::move(all));
}

InferenceRun run_of(const Oracle& oracle, const std::string& out,
                    const std::vector<std::string>& assume, const InferenceOptions& options,
                    bool resume) {
  if (options.max_probes < 1 || options.repeat < 1 || !(options.time_limit_s >= 0)) {
    throw Error("max_probes and repeat are at least 1, and time_limit is at least 0 (none)");
  }
  Assumptions assumptions = Assumptions::all(oracle.device());
  for (const std::string& text : assume) assumptions.restrict_by(text);
  return {out, std::move(assumptions), options, resume};
}

std::optional<Model> model_of(const Finding& finding) {
  if (!finding.mechanism) return std::nullopt;
  return Model{
      finding.device, *finding.mechanism,
      fmt::format("inferred: {}, {}", name_of(finding.verdict), counted(finding.probes, "probe"))};
}

}  // namespace

void add_inference(py::module_& module) {
  py::class_<Finding>(module, "Finding", "How an inference ended.")
      .def_property_readonly(
          "verdict", [](const Finding& finding) { return std::string(name_of(finding.verdict)); },
          "identified, ambiguous, refuted or undecided.")
      .def_readonly("reason", &Finding::reason)
      .def_readonly("probes", &Finding::probes, "How many were asked.")
      .def_property_readonly("model", &model_of,
                             "The simplest that explains everything; None if none does.")
      .def_property_readonly(
          "facts", [](const Finding& finding) { return to_python(model_json(finding)); },
          "All that is known, as in model.json.")
      .def("__str__", [](const Finding& finding) { return page_text(finding_page(finding)); });

  module.def(
      "infer",
      [](const Oracles& oracle, const std::string& out, const std::vector<std::string>& assume,
         int max_probes, double time_limit, int repeat, std::uint64_t seed, bool resume,
         const std::optional<Listener>& told) {
        const auto asked = side_by_side(oracle);
        const InferenceOptions options{max_probes, time_limit, repeat, seed, {}};
        const InferenceRun run = run_of(*asked, out, assume, options, resume);
        return without_lock([&](const Task& task) { return infer_there(*asked, run, told, task); });
      },
      py::arg("oracle"), py::arg("out"), py::kw_only(),
      py::arg("assume") = std::vector<std::string>(),
      py::arg("max_probes") = InferenceOptions().max_probes, py::arg("time_limit") = 0.0,
      py::arg("repeat") = 1, py::arg("seed") = 1, py::arg("resume") = false,
      py::arg("told") = py::none(),
      R"(
Asks the oracle until one behaviour is left. Of a list of oracles that are alike, several are asked
at once. The folder `out` gets what `cuvier infer` leaves there, for `cuvier report` and `cuvier
verify`: every answer as it comes, so that resume=True goes on after Ctrl-C. The options are those of
`cuvier infer`; told(line) hears of each probe that tells something.)");
  module.def(
      "invent",
      [](const Oracles& oracle, const std::string& out, const std::vector<std::string>& assume,
         int max_probes, std::uint64_t seed, bool resume, const std::optional<Listener>& told) {
        const auto asked = side_by_side(oracle);
        const InferenceRun run = run_of(*asked, out, assume, {max_probes, 0, 1, seed, {}}, resume);
        return without_lock(
            [&](const Task& task) { return invent_there(*asked, run, told, task); });
      },
      py::arg("oracle"), py::arg("out"), py::kw_only(),
      py::arg("assume") = std::vector<std::string>(),
      py::arg("max_probes") = InferenceOptions().max_probes, py::arg("seed") = 1,
      py::arg("resume") = false, py::arg("told") = py::none(),
      R"(
As infer(); where no hypothesis explains the answers, rules are proposed that do, as formulas, and
told apart by further probes. The folder gets what `cuvier invent` leaves there.)");
}

}  // namespace cuvier
