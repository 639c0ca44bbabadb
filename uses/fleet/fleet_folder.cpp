#include "uses/fleet/fleet_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "probes/an_error.h"
#include "probes/format.h"
#include "uses/file_name.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view not_opened = ".failed";

constexpr auto fleet_format = object<Submitted>([](auto& submitted, auto& field) {
  field.required("oracle", submitted.oracle, String(), "whom each task asks");
  field.required("nodes", submitted.nodes, ListOf{object<FleetNode>([](auto& node, auto& its) {
                   its.required("name", node.name, String(), "as Slurm calls it");
                   its.required("gpus", node.gpus, Integer{{0, 4096}}, "that are to be asked");
                 })},
                 "and their GPUs");
  field.optional("jobs", submitted.jobs, ListOf{String()}, "of Slurm, the latest submission's");
});

void write_in_fleet(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw an_error("{}: cannot be written: {}", path.string(), std::strerror(errno));
}

}  // namespace

std::string FleetFolder::model_of(const std::string& product) const {
  return path("models/" + file_name(product) + ".json");
}

Submitted FleetFolder::submitted() const {
  const std::string file = path("fleet.json");
  if (!fs::exists(file)) {
    throw an_error("{}: holds no fleet; cuvier fleet submit --out {} begins one", path_.string(),
                   path_.string());
  }
  return fleet_format.read(parse_json(read_file(file), file), Place(file));
}

void FleetFolder::submit(const Submitted& submitted) const {
  const std::string file = path("fleet.json");
  write_in_fleet(file + ".tmp", fleet_format.write(submitted).dump(1) + '\n');
  fs::rename(file + ".tmp", file);
}

void FleetFolder::each_gpu(const std::function<void(GpuResult&&)>& told) const {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(path_ / "gpus", none)) {
    const fs::path file = entry.path() / "gpu.json";
    if (fs::exists(file)) told(read_gpu_result(file.string()));
  }
}

void FleetFolder::note_reached(const std::string& node, const std::string& id) const {
  write_in_fleet(path_ / "nodes" / node / id, "");
}

int FleetFolder::reached(const std::string& node) const {
  std::error_code none;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(path_ / "nodes" / node, none)) {
    count += entry.path().extension() != not_opened;
  }
  return count;
}

int FleetFolder::taken(const std::string& node) const {
  std::error_code none;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(path_ / "nodes" / node, none)) {
    const fs::path folder = gpu(entry.path().filename().string());
    const fs::path file = folder / "gpu.json";
    count += GpuLock::is_held(folder) ||
             (fs::exists(file) && read_gpu_result(file.string()).stage == FleetStage::done);
  }
  return count;
}

fs::path FleetFolder::failure(const std::string& node, const std::string& number) const {
  return path_ / "nodes" / node / fmt::format("{}{}", number, not_opened);
}

void FleetFolder::note_failure(const std::string& node, const std::string& number,
                               const std::string& why) const {
  write_in_fleet(failure(node, number), why);
}

void FleetFolder::forget_failure(const std::string& node, const std::string& number) const {
  std::error_code none;
  fs::remove(failure(node, number), none);
}

std::vector<std::string> FleetFolder::failures(const std::string& node) const {
  std::error_code none;
  std::vector<std::string> reasons;
  for (const auto& entry : fs::directory_iterator(path_ / "nodes" / node, none)) {
    if (entry.path().extension() == not_opened) reasons.push_back(read_file(entry.path().string()));
  }
  return reasons;
}

nlohmann::ordered_json submitted_schema() { return fleet_format.schema(); }

GpuLock::GpuLock(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string path = (folder / "lock").string();
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    throw an_error("{}: {}; every node must be able to write there", path, std::strerror(errno));
  }
  // Who only looks whether it is held has it for a moment.
  for (int tries = 0; !is_ours_ && tries < 10; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    is_ours_ = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
  }
}

bool GpuLock::is_held(const fs::path& folder) {
  const int fd = ::open((folder / "lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool held = ::flock(fd, LOCK_SH | LOCK_NB) != 0;
  ::close(fd);
  return held;
}

GpuLock::~GpuLock() {
  if (fd_ >= 0) ::close(fd_);
}

int FleetStatus::not_begun() const {
  const auto begun = done + std::ssize(at_work) + std::ssize(stopped);
  return std::max(0, gpus - static_cast<int>(begun));
}

double FleetStatus::seconds_left() const {
  if (at_work.empty() || done == 0) return 0;
  return seconds * (gpus - done) / static_cast<double>(at_work.size());
}

FleetStatus status_of(const FleetFolder& folder) {
  FleetStatus status;
  for (const FleetNode& node : folder.submitted().nodes) {
    status.gpus += node.gpus;
    if (folder.reached(node.name) >= node.gpus) continue;
    for (std::string& why : folder.failures(node.name)) {
      status.stopped.push_back({node.name, std::move(why)});
    }
  }
  folder.each_gpu([&](GpuResult&& gpu) {
    if (gpu.stage == FleetStage::done) {
      ++status.done;
      status.seconds += (gpu.seconds - status.seconds) / status.done;
    } else if (GpuLock::is_held(folder.gpu(gpu.id))) {
      status.at_work.push_back(gpu.id);
    } else {
      status.stopped.push_back({gpu.id, gpu.failed.empty() ? "its task was ended" : gpu.failed});
    }
  });
  std::ranges::sort(status.at_work);
  std::ranges::sort(status.stopped, {}, &FleetStatus::Stopped::gpu);
  return status;
}

}  // namespace cuvier
