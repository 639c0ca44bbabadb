
#include <fmt/format.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include "hypotheses/devices.h"
#include "hypotheses/plausible_models.h"
#include "probes/device_json.h"
#include "python/long_work.h"
#include "python/module.h"
#include "reports/finding/model_json.h"
#include "reports/uses/uses_report.h"
#include "uses/others_fields.h"

namespace cuvier {

namespace py = pybind11;

namespace {

Device device_from(const py::object& given) {
  if (py::isinstance<py::str>(given)) return find_device(given.cast<std::string>());
  const Document document = document_of(given, "device");
  return device_from_json(document.json, document.where);
}

Model model_from(const std::string& text, const std::optional<Device>& named) {
  if (!named && !text.ends_with(".json")) {
    throw Error(in_quotes(text) + " is a model of any GPU; say of which: Model(text, device)");
  }
  const Device device = named ? *named : read_model_device(text);
  return read_model_of(device, text);
}

std::string called(const Model& model) { return model_name(model.hypothesis); }

py::dict mechanism_of(const Model& model) {
  py::dict mechanism;
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisValue& value = axis_value(axis, model.hypothesis.values[axis]);
    mechanism[py::str(std::string(axis_info(axis).name))] = std::string(value.name);
  }
  return mechanism;
}

py::object predict_probe(const Model& model, const py::object& given, const py::object& reserved) {
  const Probe probe = read_probe(given, model.device);
  const std::vector<int> reserved_sms = read_reserved_sms(
      document_of(reserved, "reserved_sms").json, model.device, Place("reserved_sms"));
  const Placements placed = without_lock(
      [&](const Task&) { return placements(model.device, model.hypothesis, probe, reserved_sms); });
  return to_python(placements_json(placed, model, probe));
}

/// Only the program reads the compiler's reports that "entry" needs.
void refuse_entries(const Document& document) {
  for (const char* const group : {"kernels", "resident"}) {
    if (!document.json.contains(group)) continue;
    for (const auto& [name, kernel] : document.json[group].items()) {
      if (!kernel.contains("entry")) continue;
      Place(document.where)
          .field(group)
          .field(name)
          .field("entry")
          .fail("is for `cuvier fits --kernel-report FILE`; give \"registers\" here");
    }
  }
}

py::object fit(const py::object& given, const Device& device,
               const std::optional<std::vector<Model>>& models) {
  const Document document = document_of(given, "kernels");
  refuse_entries(document);
  const KernelSet set = kernels_from_json(document.json, device, {}, document.where);
  const std::vector<Model> asked = models ? *models : plausible_models_of(device);
  std::vector<Hypothesis> hypotheses;
  for (const Model& each : asked) hypotheses.push_back(each.hypothesis);
  return to_python(without_lock([&](const Task& task) {
    const Fits answer = fits(device, hypotheses, set, FitsLimits(task));
    const auto mended = changes(device, answer, set, task);
    return fits_json(answer, mended, device, asked, {}, set);
  }));
}

}  // namespace

Probe read_probe(const py::handle& given, const Device& device) {
  const Document document = document_of(given, "probe");
  Probe probe = probe_from_json(document.json, document.where);
  validate(probe, device, document.where);
  return probe;
}

void add_models(py::module_& module) {
  module.def(
      "devices",
      [] {
        std::vector<std::string> names;
        for (const DeviceFile& file : known_devices()) names.push_back(file.name);
        return names;
      },
      "The names of the GPUs whose documented facts are built in.");

  py::class_<Device>(module, "Device", "The documented facts of a GPU.")
      .def(py::init(&device_from), py::arg("source"),
           "A name of devices(), the path of a .json file, or its content.")
      .def_readonly("name", &Device::name)
      .def_readonly("sms", &Device::sms)
      .def_property_readonly(
          "facts", [](const Device& device) { return to_python(to_json(device)); },
          "All of them, as in a device file.")
      .def("plausible_models", &plausible_models_of,
           "What may predict it where nothing else is known, the likeliest first.")
      .def(py::self == py::self)
      .def("__repr__", [](const Device& device) {
        return fmt::format("<cuvier.Device {}, {} SMs>", device.name, device.sms);
      });
  py::implicitly_convertible<py::str, Device>();

  py::class_<Model>(module, "Model", "One answer to every open question about a scheduler.")
      .def(py::init(&model_from), py::arg("text"), py::arg("device") = py::none(),
           "A name that `cuvier axes` lists, AXIS=VALUE,... over Algorithm 1, or a model.json, "
           "whose own device it is of where none is named.")
      .def_readonly("device", &Model::device)
      .def_property_readonly("name", &called, "Which Model() takes.")
      .def_readonly("evidence", &Model::evidence, "What recordings of GPUs say for and against it.")
      .def_property_readonly("mechanism", &mechanism_of, "{AXIS: VALUE} of all axes.")
      .def("predict", &predict_probe, py::arg("probe"), py::kw_only(), py::arg("reserved_sms") = 0,
           "Where the blocks of a probe go, and what waits for what, in a fresh session: what "
           "`cuvier predict --json` prints. reserved_sms take no blocks: how many (the last ones), "
           "or which.")
      .def("__repr__", [](const Model& model) {
        return fmt::format("<cuvier.Model {} of {}>", called(model), model.device.name);
      });

  module.def("fits", &fit, py::arg("kernels"), py::arg("device"), py::arg("models") = py::none(),
             "Whether kernels that never end are all resident at once, whatever the order: what "
             "`cuvier fits --json` prints. Where no models are named, each that is plausible for "
             "the device is asked.");
}

}  // namespace cuvier
