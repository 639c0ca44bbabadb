#include "corpus/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "probes/an_error.h"
#include "probes/device_json.h"
#include "probes/initial_observation.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr std::string_view first_bytes = R"({"type":"device")";  // of every journal

/// Retries what a signal interrupted.
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

std::string_view last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

/// A string that is not UTF-8 (a file's name, say) must not cost us an observation.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string device_line(const std::string& source, const Device& device, bool is_session) {
  Json line = {{"type", "device"}, {"source", source}};
  if (is_session) line["session"] = true;
  line["device"] = to_json(device);
  return line_of(line);
}

/// Whether all of a line arrived except for its newline.
bool is_object(std::string_view line) { return line.starts_with('{') && Json::accept(line); }

}  // namespace

std::string recording_lines(const RecordingSet& set, const std::vector<std::optional<int>>& exact) {
  const bool is_session = !std::ranges::all_of(set.recordings, &Recording::fresh);
  std::string lines = device_line(set.source, set.device, is_session);
  for (std::size_t i = 0; i < set.recordings.size(); ++i) {
    const Recording& recording = set.recordings[i];
    if (recording.opening) {
      lines += line_of(to_json(*recording.opening));
    } else if (is_session && recording.fresh && i > 0) {
      lines += line_of({{"type", "session"}});
    }
    Json line = to_json(recording);
    if (i < exact.size() && exact[i]) line["exact"] = *exact[i];
    lines += line_of(line);
  }
  return lines;
}

std::string first_difference(const Device& there, const Device& here, const std::string& where) {
  const auto differing = differing_fields(there, here);
  if (differing.empty()) return "they are the same";
  const auto& [name, of_there, of_here] = differing.front();
  return fmt::format("{} is {} {} and {} here", name, one_line(of_there), where, one_line(of_here));
}

Journal::Journal(const std::filesystem::path& folder, const Device& device,
                 const std::string& source)
    : path_((folder / "journal.jsonl").string()) {
  open(folder);
  try {
    lock();
    recover(device);
    if (size_ == 0) {
      write(device_line(source, device, true));
      recorded_ = {source, device, {}};
    }
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

Journal::~Journal() { ::close(fd_); }

void Journal::fail(const std::string& what, int error, const std::string& remedy) const {
  throw an_error("{}: {}: {}; {}", path_, what, std::strerror(error), remedy);
}

void Journal::open(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw an_error("{}: cannot be made a folder for the journal: {}; name another", folder.string(),
                   error.message());
  }
  fd_ = uninterrupted([&] { return ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
  if (fd_ < 0) {
    fail("cannot be opened for writing", errno, "mend its permissions or name another folder");
  }
  // The file's name must survive a crash as well as its content does.
  const int parent =
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (parent >= 0) {
    ::fsync(parent);
    ::close(parent);
  }
}

void Journal::lock() const {
  using namespace std::chrono_literals;
  // Where a writer was killed, a child of its may hold the lock until it has died as well.
  const auto deadline = std::chrono::steady_clock::now() + 2s;
  while (uninterrupted([&] { return ::flock(fd_, LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) {
      fail("cannot be locked", errno, "name a folder on another file system");
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      throw Error(path_ + ": another process is writing to it; wait for it or name another folder");
    }
    std::this_thread::sleep_for(10ms);
  }
}

void Journal::recover(const Device& device) {
  const std::string text = read_file(path_);
  const std::size_t begin_of_rest = text.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view rest = std::string_view(text).substr(begin_of_rest);
  const std::size_t common = std::min(first_bytes.size(), text.size());
  if (text.compare(0, common, first_bytes, 0, common) != 0) {
    throw Error(path_ + ":1: is no journal of ours; name another folder");
  }
  size_ = text.size();
  lines_ = std::ranges::count(text, '\n');
  if (is_object(rest)) {
    write("\n");
  } else if (!rest.empty()) {
    if (uninterrupted([&] { return ::ftruncate(fd_, static_cast<off_t>(begin_of_rest)); }) != 0) {
      fail("its cut-off last line cannot be removed", errno, "mend its permissions");
    }
    size_ = begin_of_rest;
    recovered_bytes_ = rest.size();
  }
  if (size_ > 0) check(device);
}

void Journal::check(const Device& device) {
  recorded_ = read_recordings(path_);
  if (recorded_.device != device) {
    throw an_error("{}:1: is the journal of another device: {}; name another folder", path_,
                   first_difference(recorded_.device, device));
  }
  const std::string text = read_file(path_);
  const Json first = parse_json(std::string_view(text).substr(0, text.find('\n')), path_ + ":1");
  if (!first.value("session", false)) {
    throw Error(path_ + ":1: session: must be true in a journal; this one cannot be continued");
  }
  const Json last = parse_json(last_line(text), path_)["type"];
  at_session_start_ = last == "device" || last == "session";
}

void Journal::append(const Recording& recording) { append(recording, Json::object()); }

void Journal::append(const Recording& recording, const nlohmann::ordered_json& extra) {
  Json line = to_json(recording);
  for (const auto& [name, value] : extra.items()) {
    if (line.contains(name)) throw std::logic_error("a recording has its own field " + name);
    line[name] = value;
  }
  std::string opening;
  std::string lines;
  if (recording.opening) {
    opening = line_of(to_json(*recording.opening));
    const auto written = openings_.find(opening);
    lines = written == openings_.end()
                ? opening
                : line_of({{"type", "opening"}, {"as_in_line", written->second}});
  } else if (recording.fresh && !at_session_start_) {
    lines = line_of({{"type", "session"}});
  }
  lines += line_of(line);
  const std::size_t first = lines_ + 1;
  write(lines);
  if (recording.opening) openings_.try_emplace(std::move(opening), first);
  at_session_start_ = false;
}

Recording Journal::append(const Probe& probe, const Answer& answer, bool fresh,
                          std::shared_ptr<const InitialObservation> opening,
                          nlohmann::ordered_json extra) {
  const bool counts = answer.exact != 0;
  if (answer.exact) extra["exact"] = *answer.exact;
  if (answer.observation) extra["observation"] = to_json(*answer.observation, probe);
  append(Recording{probe, answer.facts, fresh, path_, fresh && counts ? opening : nullptr}, extra);
  if (!counts) {
    throw OracleRefusal("no_opening",
                        "nobody knows the hidden state in which its session began, so its answer "
                        "is kept and counts for nothing");
  }
  Recording recording = answer.recording(probe, fresh, std::move(opening));
  recording.where = path_;
  return recording;
}

void Journal::write(const std::string& lines) {
  const auto undo = [&](int error) {
    // What cannot be taken back (an I/O error, most likely) is a cut-off last line to the
    // next one who opens the journal.
    if (::ftruncate(fd_, static_cast<off_t>(size_)) != 0) error = errno;
    fail("cannot be written", error, "make room or name another folder");
  };
  for (std::size_t written = 0; written < lines.size();) {
    const ssize_t count = uninterrupted([&] {
      return ::pwrite(fd_, lines.data() + written, lines.size() - written,
                      static_cast<off_t>(size_ + written));
    });
    if (count < 0) undo(errno);
    written += static_cast<std::size_t>(count);
  }
  if (uninterrupted([&] { return ::fsync(fd_); }) != 0) undo(errno);
  size_ += lines.size();
  lines_ += std::ranges::count(lines, '\n');
}

}  // namespace cuvier
