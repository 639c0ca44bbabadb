#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "probes/json_fields.h"

namespace cuvier {

/// A document of our formats, given as Python's dicts, lists and numbers (numpy's, too), or as the
/// path of a .json file. `called` names the former in messages ("probe: kernels.k1.threads").
struct Document {
  Json json;
  std::string where;
};
Document document_of(const pybind11::handle& given, const std::string& called);

/// The document as Python's dicts, lists and numbers.
pybind11::object to_python(const Json& json);

}  // namespace cuvier
