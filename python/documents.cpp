#include "python/module.h"

namespace cuvier {

namespace py = pybind11;

Document document_of(const py::handle& given, const std::string& called) {
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

py::object to_python(const Json& json) {
  return py::module_::import("json").attr("loads")(json.dump());
}

}  // namespace cuvier
