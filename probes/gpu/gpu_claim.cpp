#include "probes/gpu/gpu_claim.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

#include "probes/device_json.h"
#include "probes/error.h"
#include "probes/gpu/failure.h"
#include "probes/json_fields.h"

namespace cuvier::gpu {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_kept = 1 << 20;

std::string content(int fd) {
  std::string text(most_kept, '\0');
  const ssize_t size = ::pread(fd, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

bool lock(int fd, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR && std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

}  // namespace

GpuClaim::GpuClaim(const std::string& gpu, std::chrono::milliseconds patience) {
  std::string name = gpu;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '-');
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) folder = "/tmp";
  path_ = folder / ("cuvier-gpu-" + name + ".json");
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    std::fprintf(stderr,
                 "cuvier-gpu: %s: %s; another cuvier-gpu on this GPU would not be noticed\n",
                 path_.c_str(), std::strerror(errno));
    return;
  }
  if (lock(fd_, patience)) return;
  ::close(fd_);
  throw Failure(FailureCode::device_lost,
                fmt::format("another cuvier-gpu is at work on this GPU ({} is locked), and each "
                            "would spoil what the other sees; wait for it or end it",
                            path_),
                exit_busy);
}

GpuClaim::~GpuClaim() {
  if (fd_ >= 0) ::close(fd_);
}

std::optional<Device> GpuClaim::kept(const std::string& uuid, const Device& device) const {
  if (fd_ < 0) return std::nullopt;
  try {
    const Json json = parse_json(content(fd_), path_);
    Fields fields(json, Place(path_));
    Device known = device_from_json(fields.at("device"), path_, "device");
    const bool is_of_it = fields.text("uuid") == uuid && with_groups_of(known, {}) == device;
    if (!is_of_it || known == device) return std::nullopt;
    return known;
  } catch (const Error&) {
    return std::nullopt;  // a first runner, or one of another version: asked anew
  }
}

void GpuClaim::keep(const std::string& uuid, const Device& device) const {
  if (fd_ < 0) return;
  const std::string text = Json{{"uuid", uuid}, {"device", to_json(device)}}.dump() + '\n';
  const bool kept = ::ftruncate(fd_, 0) == 0 &&
                    ::pwrite(fd_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!kept) std::fprintf(stderr, "cuvier-gpu: %s: %s\n", path_.c_str(), std::strerror(errno));
}

}  // namespace cuvier::gpu
