#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>

#include "tests/cli/cuvier_run.h"
#include "verify/axes.h"
#include "verify/check.h"
#include "verify/fields.h"

namespace cuvier::verify {

/// Whole inferences, of which copies are forged.
class ForgedModel : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new samples::Folder;
    folder_->write("four.json", samples::device_text);
    const std::string as_in = " --assume algorithm-1,";
    const std::string assumptions =
        as_in + "queue=named,selection=named,dispatch_batch=named,pointer_reset=named";
    const auto infer = [&](const std::string& name, const std::string& oracle,
                           const std::string& options) {
      run_cuvier(*folder_, "infer --oracle " + oracle + " --out " + name + options);
    };
    infer_of_few(*folder_, "identified", "sim:four.json", assumptions);
    infer("ambiguous", "sim:four.json", assumptions + " --max-probes 1");
    infer("refuted", "sim:four.json", assumptions + " --assume selection=first_fit,most_warps");
    infer_of_few(*folder_, "other", "sim:four.json,queue=skip_ahead", assumptions);
    infer("voted", "'exec:" CUVIER_STAND_IN " four.json'", assumptions + " --repeat 3");
    infer_of_few(*folder_, "learned", "sim:four.json,tie_break=linear_reversed",
                 as_in + "selection=named,tie_break=named --assume tie_break=linear,learned");
    infer("drifting", "sim:four.json,dispatch_batch=pair,pairs_in_flight=two",
          as_in + "selection=named,dispatch_batch=named,pairs_in_flight=drifting --max-probes 12");
    folder_->write("little.jsonl", little());
    run_cuvier(*folder_,
               "infer --oracle recording:little.jsonl --out little --assume selection="
               "most_room --assume dispatch_batch=single --assume pointer_reset=never" +
                   assumptions);
  }
  static void TearDownTestSuite() { delete folder_; }

  /// Recordings that tell next to nothing.
  static std::string little() {
    const Json small = {{"blocks", 4}, {"threads", 32}, {"registers", 16}};
    const Json large = {{"blocks", 4}, {"threads", 1024}, {"registers", 64}};
    const auto launches = [](const std::string& name, const Json& kernels) {
      Json line = {{"type", "recording"}, {"name", name}, {"kernels", kernels}};
      for (const auto& [kernel, needs] : kernels.items()) {
        line["facts"] = {{{"step", line["script"].size()}, {"kernel", kernel}, {"started", 4}}};
        line["script"].push_back({{"launch", kernel}});
      }
      return line.dump() + '\n';
    };
    const Json device = {
        {"type", "device"}, {"source", "little"}, {"device", Json::parse(samples::device_text)}};
    return device.dump() + '\n' + launches("small", {{"a", small}, {"b", small}, {"c", small}}) +
           launches("large", {{"a", large}});
  }

  static Checked checked(const std::string& run) { return check(folder_->path(run)); }

  /// The faults of a copy of the run once it was forged; one that cannot be read is one.
  static std::vector<std::string> faults(const std::string& run,
                                         const std::function<void()>& forge) {
    std::filesystem::remove_all(folder_->path("forged"));
    std::filesystem::copy(folder_->path(run), folder_->path("forged"),
                          std::filesystem::copy_options::recursive);
    forge();
    try {
      return checked("forged").faults;
    } catch (const Unreadable& unreadable) {
      return {unreadable.what()};
    }
  }

  static std::function<void()> model(const std::function<void(Json&)>& change) {
    return [=] {
      Json json = Json::parse(folder_->read("forged/model.json"));
      change(json);
      folder_->write("forged/model.json", json.dump(1) + '\n');
    };
  }
  /// The lines of the journal, of which the first has the device.
  static std::function<void()> journal(const std::function<void(std::vector<Json>&)>& change) {
    return [=] {
      std::istringstream in(folder_->read("forged/journal.jsonl"));
      std::vector<Json> lines;
      for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
      change(lines);
      std::string text;
      for (const Json& line : lines) text += line.dump() + '\n';
      folder_->write("forged/journal.jsonl", text);
    };
  }

  inline static samples::Folder* folder_ = nullptr;
};

}  // namespace cuvier::verify
