
#include <fmt/format.h>

#include "hypotheses/simulated_oracle.h"
#include "probes/fact.h"
#include "python/module.h"

namespace cuvier {

namespace py = pybind11;

namespace {

/// How a run of an oracle's raises that it cannot answer this probe.
py::object refusal() { return py::module_::import("cuvier").attr("Refusal"); }

/// Of an answer: the SMs of blocks count, whatever else it says.
Answer answer_of(const py::object& said, const Probe& probe, const Oracle& oracle) {
  try {
    const Document document = document_of(said, oracle.description());
    Observation seen = seen_through(
        {}, observation_from_json(document.json, probe, oracle.device(), document.where));
    std::vector<Fact> facts = facts_of(seen, probe);
    return {std::move(facts), std::move(seen)};
  } catch (const Error& error) {
    throw Error(error.what(), Error::Kind::oracle);
  }
}

}  // namespace

py::function PythonOracle::method(const char* name) const {
  return py::get_override(static_cast<const Oracle*>(this), name);
}

std::string PythonOracle::description() const {
  const py::gil_scoped_acquire locked;
  const py::object self = py::cast(static_cast<const Oracle*>(this));
  return "python:" + py::type::of(self).attr("__name__").cast<std::string>();
}

std::vector<Answer> PythonOracle::run(const Probe& probe, int repeat) {
  const py::gil_scoped_acquire locked;
  const py::function run = method("run");
  if (!run) throw py::type_error(description() + ": has no run(self, probe), which answers probes");
  std::vector<Answer> answers;
  try {
    while (std::ssize(answers) < repeat) {
      answers.push_back(answer_of(run(to_python(to_json(probe))), probe, *this));
    }
  } catch (py::error_already_set& raised) {
    if (!raised.matches(refusal())) throw;
    throw OracleRefusal("unsupported", fmt::format("{}: {}", description(),
                                                   py::str(raised.value()).cast<std::string>()));
  }
  return answers;
}

bool PythonOracle::begin_session() {
  const py::gil_scoped_acquire locked;
  const py::function begin = method("begin_session");
  if (!begin) return false;
  begin();
  ++session_;
  return true;
}

void add_oracles(py::module_& module) {
  py::exception<void>(module, "Refusal").attr("__doc__") =
      "Raised by a run(probe) of yours that cannot answer this probe: others are asked instead.";
  py::class_<Oracle, PythonOracle>(module, "Oracle", R"(
What answers probes, for infer(). Derive from it:

    class Mine(cuvier.Oracle):
        def __init__(self):
            super().__init__("rtx3090")    # or a cuvier.Device

        def run(self, probe):
            ...
            return {"steps": [{"started": {"k1": {"block": [0, 1], "sm": [0, 2]}}}, ...]}

        def begin_session(self):           # may be left out
            ...                            # forget all that outlives a probe

docs/reference/oracle-protocol.md says what a probe asks, and what an observation says.)")
      .def(py::init_alias<Device>(), py::arg("device"))
      .def_property_readonly("device", &Oracle::device, "The device that it speaks of.")
      .def(
          "run",
          [](Oracle& oracle, const py::object& probe) {
            const Probe asked = read_probe(probe, oracle.device());
            return to_python(to_json(*oracle.run(asked, 1).front().observation, asked));
          },
          py::arg("probe"), "Where the blocks of the probe go: {\"steps\": [...]}.")
      .def("begin_session", &Oracle::begin_session,
           "Forgets all that outlives a probe. False where it cannot.");
  py::class_<SimulatedOracle, Oracle>(module, "Simulator",
                                      "A simulated device that follows a model.")
      .def(py::init([](const Model& model, std::uint64_t seed) {
             return std::make_unique<SimulatedOracle>("sim:" + model.device.name, model.device,
                                                      model.hypothesis, seed);
           }),
           py::arg("model"), py::arg("seed") = 1);
}

}  // namespace cuvier
