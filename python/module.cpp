#include "python/module.h"

#include <pybind11/pybind11.h>

#include "probes/error.h"

namespace cuvier {
namespace {

namespace py = pybind11;

/// An Error's one line, as Python's.
void add_errors(py::module_& module) {
  static py::exception<Error> error(module, "Error", PyExc_ValueError);
  static py::exception<Error> oracle_error(module, "OracleError", error.ptr());
  error.attr("__doc__") = "Bad input: one line that names file, field and remedy.";
  oracle_error.attr("__doc__") = "An oracle failed.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& caught) {
      (caught.kind() == Error::Kind::oracle ? oracle_error : error)(caught.what());
    }
  });
}

}  // namespace

Document document_of(const pybind11::handle& given, const std::string& called) {
  if (py::isinstance<py::str>(given)) {
    const auto path = given.cast<std::string>();
    return {parse_json(read_file(path), path), path};
  }
  // What json does not know is asked for its tolist(): arrays and numbers of numpy's have one.
  const py::object otherwise = py::module_::import("operator").attr("methodcaller")("tolist");
  const py::object text =
      py::module_::import("json").attr("dumps")(given, py::arg("default") = otherwise);
  return {parse_json(text.cast<std::string>(), called), called};
}

pybind11::object to_python(const Json& json) {
  return py::module_::import("json").attr("loads")(json.dump());
}

}  // namespace cuvier

PYBIND11_MODULE(cuvier, module) {
  module.doc() = R"(How a GPU schedules thread blocks: predicted, and found out from outside.

Probes, kernels and devices are dicts, as the files of the same content (docs/reference/formats.md),
or the paths of such files. docs/howto/python.md has an example.)";
  module.attr("__version__") = CUVIER_VERSION;
  cuvier::add_errors(module);
  cuvier::add_models(module);
  cuvier::add_oracles(module);
  cuvier::add_inference(module);
}
