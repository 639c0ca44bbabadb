#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"
#include "probes/oracle.h"

namespace cuvier {

/// The text of a file that read_recordings() reads, with each opening before its recording. Of a
/// recording only the first steps count where `exact` has a number in its place.
std::string recording_lines(const RecordingSet& set,
                            const std::vector<std::optional<int>>& exact = {});

/// The first field in which two devices differ, for a message: "sms is 84 there and 68 here".
/// `where` is the first one's place, if not "there".
std::string first_difference(const Device& there, const Device& here,
                             const std::string& where = "there");

/// The append-only record of one inference on one device: DIR/journal.jsonl, a file that
/// read_recordings() reads. What append() has returned from is on the disk, whole, whatever
/// happens to this process then. One writer at a time.
class Journal {
 public:
  /// Opens or creates the journal, and the folder. A last line that was cut off while it was
  /// written is removed; every complete line stays as it is. Throws Error where the journal is
  /// of another device, is being written by another process, or cannot be read and written.
  /// `source` says where the answers come from; an existing journal keeps its own.
  Journal(const std::filesystem::path& folder, const Device& device, const std::string& source);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::string& path() const { return path_; }

  /// What the journal held when it was opened.
  const RecordingSet& recorded() const { return recorded_; }

  /// How many bytes of a cut-off last line were removed when it was opened.
  std::size_t recovered_bytes() const { return recovered_bytes_; }

  /// Appends the recording, after its session's opening or else a session line if it is `fresh`
  /// (the first that is appended should be, unless hidden state survived). An opening is written
  /// out once; the same again names its line. `extra` has further fields for the recording's line,
  /// which readers ignore. If this throws, the journal is as it was before.
  void append(const Recording& recording, const nlohmann::ordered_json& extra);
  void append(const Recording& recording);

  /// The same of what a run showed, with its observation, where there is one, among the further
  /// fields, and how far it is exact, which readers heed. What of it counts: as far as that. Where
  /// that is nothing, it is kept all the same, and OracleRefusal says so.
  Recording append(const Probe& probe, const Answer& answer, bool fresh,
                   std::shared_ptr<const InitialObservation> opening, nlohmann::ordered_json extra);

 private:
  void open(const std::filesystem::path& folder);
  void lock() const;
  void recover(const Device& device);
  void check(const Device& device);
  void write(const std::string& lines);
  [[noreturn]] void fail(const std::string& what, int error, const std::string& remedy) const;

  std::string path_;
  int fd_ = -1;
  std::size_t size_ = 0;                         ///< of the complete lines
  std::size_t lines_ = 0;                        ///< how many these are
  std::map<std::string, std::size_t> openings_;  ///< as written here, and in which line
  std::size_t recovered_bytes_ = 0;
  bool at_session_start_ = true;  ///< no recording since the last device or session line
  RecordingSet recorded_;
};

}  // namespace cuvier
