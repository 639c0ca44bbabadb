#include "cli/schema_files.h"

#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "probes/schemas.h"
#include "reports/inference/decisions.h"
#include "uses/kernel_set.h"
#include "uses/simulate/workload.h"

namespace cuvier {
namespace {

struct FileFormat {
  const char* name;
  const char* title;
  const char* description;
  Json (*schema)();
};

constexpr FileFormat formats[] = {
    {"decisions", "Decisions, version 1",
     "decisions.json of an inference: why each probe was asked, and what it told. Reports are "
     "made of it; nothing that is claimed rests on it.",
     decisions_schema},
    {"device", "A device, version 1",
     "The documented facts of a GPU (docs/scheduler.md, section 1). What a schema cannot say: "
     "sizes ascend, and maps have an entry for each SM, below their number.",
     device_file_schema},
    {"kernels", "Kernels, version 1", "What fits and order take (docs/fits.md).", kernels_schema},
    {"probe", "A probe, version 1",
     "Kernels, and a script of launches and releases (docs/oracle-protocol.md). What a schema "
     "cannot say: names resolve, each kernel is launched at most once and released only after "
     "that.",
     probe_schema},
    {"recordings-line", "A line of recordings, version 1",
     "A .jsonl file has such an object in each line, the first of type \"device\" and no other "
     "of that type (docs/oracle-protocol.md). A recording and an opening may have fields of "
     "their own: journals keep the whole observation and why a probe was asked.",
     recordings_line_schema},
    {"workload", "A workload, version 1",
     "What simulate takes (docs/simulate.md): kernels with when they come and how long a block "
     "runs.",
     workload_schema},
};

}  // namespace

std::map<std::string, std::string> schema_files() {
  std::map<std::string, std::string> files;
  for (const FileFormat& format : formats) {
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", format.title},
                 {"description", format.description}};
    json.update(format.schema());
    files[std::string(format.name) + ".schema.json"] = json.dump(1) + '\n';
  }
  return files;
}

}  // namespace cuvier
