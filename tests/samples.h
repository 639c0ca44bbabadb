#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "probes/error.h"
#include "probes/observation.h"

/// Small data and a place for files that the tests of several folders share.
namespace cuvier::samples {

/// Four SMs, two to a TPC; otherwise like an RTX 3090.
inline const char* const device_text =
    R"({"name":"four SMs","architecture":"sm_86","sms":4,"sms_per_tpc":2,"subpartitions":4,)"
    R"("max_blocks_per_sm":16,"max_warps_per_sm":48,"max_threads_per_block":1024,)"
    R"("max_registers_per_thread":255,"registers_per_sm":65536,)"
    R"("shared_configs":[0,8192,102400],"max_shared_per_block":101376,)"
    R"("max_resident_kernels":128})";

/// Five actions: launch k2, launch k1, release k2, release block 1 of k1, launch k3.
inline const char* const probe_text =
    R"({"name":"sample","kernels":{)"
    R"("k2":{"blocks":4,"threads":64,"registers":32,"shared":0,"local":0},)"
    R"("k1":{"blocks":2,"threads":32,"registers":255,"shared":1024,"local":8,"stream":"s","priority":-1},)"
    R"("k3":{"blocks":1,"threads":32,"registers":32,"shared":0,"local":0}},)"
    R"("script":[{"launch":"k2"},{"launch":"k1"},{"release":["k2"]},)"
    R"({"release":[{"kernel":"k1","blocks":[1]}]},{"launch":"k3"}]})";

/// What might come of it: k1 starts its second block only after the release of k2.
inline const char* const observation_text =
    R"({"steps":[)"
    R"({"started":{"k2":{"block":[0,1,2,3],"sm":[0,2,1,3],"warp_slot":[[0,1],[0,1],[0,1],[4,5]],)"
    R"("start_ns":[100,132,164,196]}},"shared_config":{"k2":8192}},)"
    R"({"started":{"k1":{"block":[0],"sm":[0],"warp_slot":[[6]],"start_ns":[300]}}},)"
    R"({"started":{"k1":{"block":[1],"sm":[2],"warp_slot":[[3]],"start_ns":[400]}}},)"
    R"({"started":{}},)"
    R"({"started":{}}]})";

// These, read.
Device device();
Probe probe();
Observation observation();

/// A kernel of 32 registers that needs nothing else.
Kernel kernel(const std::string& name, int blocks, int threads);

inline Action launch(int kernel) { return {kernel, {}}; }
inline Action release(int kernel, std::vector<int> blocks = {}) { return {{}, {{kernel, blocks}}}; }

/// `text` with the first `from` replaced; fails loudly where a sample has no such text.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no " + from + " in the sample");
  return text.replace(at, from.size(), to);
}

/// The message of the Error that `call` throws; "no error" if it returns.
template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A folder for one test's files.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cuvier-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream file(path_ / name, std::ios::binary);
    if (!(file << text << std::flush)) throw std::runtime_error("cannot write " + path(name));
    return path(name);
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace cuvier::samples
