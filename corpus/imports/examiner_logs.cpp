#include <fmt/format.h>

#include <algorithm>

#include "corpus/imports/imports.h"
#include "probes/error.h"
#include "probes/format.h"

namespace cuvier {
namespace {

// Logs hold much else: fields are looked for, and what is not asked for is no fault.

const Json& field(const Json& json, std::string_view name, const Place& place) {
  expect_object(json, place);
  const auto at = json.find(name);
  if (at == json.end()) place.fail("has no {}", name);
  return *at;
}

class Reader {
 public:
  Reader(const Device& device, int registers) : device_(device), registers_(registers) {}

  void read(const std::string& path, const std::string& stream) {
    const Place place(path);
    const Json log = parse_json(read_file(path), path);
    if (name_.empty()) {
      name_ = read_text(field(log, "scenario_name", place), place.field("scenario_name"));
    }
    const Json& times = field(log, "times", place);
    expect_array(times, place.field("times"));
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Place at = place.field("times").item(i);
      expect_object(times[i], at);
      if (times[i].contains("block_times")) read_kernel(times[i], at, stream);
    }
  }

  Imported imported() const {
    if (kernels_.empty()) throw Error("the logs hold no kernel: none has block_times");
    return cuvier::imported(kernels_, name_);
  }

 private:
  void read_kernel(const Json& json, const Place& place, const std::string& stream) {
    const auto number = [&](std::string_view name, Range range) {
      return static_cast<int>(read_integer(field(json, name, place), place.field(name), range));
    };
    TimedKernel k;
    k.kernel.name =
        unused(read_text(field(json, "kernel_name", place), place.field("kernel_name")));
    k.kernel.blocks = number("block_count", {1});
    k.kernel.threads = number("thread_count", {1});
    k.kernel.shared = number("shared_memory", {});
    k.kernel.registers = registers_;
    k.kernel.stream = stream;
    const auto seconds = [&](std::string_view name, std::size_t count) {
      std::vector<double> all = ListOf{Number()}.read(field(json, name, place), place.field(name));
      if (all.size() != count) {
        place.field(name).fail("must have {} numbers, and has {}", count, all.size());
      }
      return all;
    };
    const std::size_t blocks = k.kernel.blocks;
    const std::vector<double> launch = seconds("cuda_launch_times", 3);
    k.call = launch[0];
    k.returned = launch[1];
    if (k.returned < k.call) {
      place.field("cuda_launch_times")
          .fail("must begin with the call of the launch and when it returned, not before that");
    }
    const std::vector<double> times = seconds("block_times", 2 * blocks);
    const std::vector<int> sms = read_integers(field(json, "block_smids", place),
                                               place.field("block_smids"), {0, device_.sms - 1});
    if (sms.size() != blocks) place.field("block_smids").fail("must have an SM for each block");
    for (std::size_t b = 0; b < blocks; ++b) {
      k.blocks.push_back({sms[b], times[2 * b], times[2 * b + 1]});
      if (k.blocks[b].start < k.call || k.blocks[b].end < k.blocks[b].start) {
        place.field("block_times")
            .fail("block {} must start after its launch, and end after it started", b);
      }
    }
    kernels_.push_back(std::move(k));
  }

  /// Kernels of several logs have the same name.
  std::string unused(const std::string& name) const {
    const auto is_used = [&](const std::string& tried) {
      return std::ranges::any_of(kernels_,
                                 [&](const TimedKernel& k) { return k.kernel.name == tried; });
    };
    std::string tried = name;
    for (int n = 2; is_used(tried); ++n) tried = fmt::format("{}-{}", name, n);
    return tried;
  }

  const Device& device_;
  int registers_;
  std::string name_;
  std::vector<TimedKernel> kernels_;
};

}  // namespace

Imported import_examiner_logs(const std::vector<std::string>& paths, const Device& device,
                              int registers) {
  Reader reader(device, registers);
  for (std::size_t i = 0; i < paths.size(); ++i) reader.read(paths[i], fmt::format("s{}", i + 1));
  return reader.imported();
}

}  // namespace cuvier
