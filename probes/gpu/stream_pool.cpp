#include "probes/gpu/stream_pool.h"

#include <algorithm>

#include "probes/gpu/cuda_check.h"

namespace cuvier::gpu {
namespace {

/// Where priorities are at play, few streams are.
constexpr int beside_default = 32;

/// More than nearly every probe needs, and few enough to try each with each at every start.
constexpr int first_of_default = 11;
constexpr int first_beside_default = 5;

}  // namespace

StreamPool::StreamPool(int highest, int resident_kernels) {
  for (int turn = 0; turn <= resident_kernels; ++turn) {
    for (int priority = 0; priority >= highest; --priority) {
      if (priority != 0 && turn >= beside_default) break;
      Stream stream;
      stream.priority = priority;
      stream.is_first = turn < (priority == 0 ? first_of_default : first_beside_default);
      watched("create a stream", [&] {
        return cudaStreamCreateWithPriority(&stream.stream, cudaStreamNonBlocking, priority);
      });
      streams_.push_back(stream);
    }
  }
}

int StreamPool::count(int priority) const {
  return static_cast<int>(std::ranges::count(streams_, priority, &Stream::priority));
}

void StreamPool::free_all() {
  for (Stream& stream : streams_) stream.taken = false;
  in_use_.clear();
}

std::optional<cudaStream_t> StreamPool::take(int priority) {
  const auto first_free = [&](auto is_wanted) {
    return std::ranges::find_if(streams_, [&](const Stream& stream) {
      return stream.priority == priority && !stream.taken && is_wanted(stream);
    });
  };
  auto found = std::ranges::any_of(streams_, is_to_connect)
                   ? streams_.end()
                   : first_free([&](const Stream& stream) {
                       return stream.connection && !in_use_.contains(*stream.connection);
                     });
  if (found == streams_.end()) {
    found = first_free([](const Stream& stream) { return !stream.connection; });
  }
  if (found == streams_.end()) found = first_free([](const Stream&) { return true; });
  if (found == streams_.end()) return std::nullopt;
  found->taken = true;
  if (found->connection) in_use_.insert(*found->connection);
  return found->stream;
}

std::vector<int> StreamPool::to_connect() const {
  std::vector<int> priorities;
  for (const Stream& stream : streams_) {
    if (is_to_connect(stream)) priorities.push_back(stream.priority);
  }
  return priorities;
}

void StreamPool::connect(const std::vector<bool>& shares) {
  auto share = shares.begin();
  for (Stream& stream : streams_) {
    if (is_to_connect(stream) && *share++) stream.connection = connections_;
  }
  ++connections_;
}

int StreamPool::connected() const {
  return static_cast<int>(std::ranges::count_if(
      streams_, [](const Stream& stream) { return stream.connection.has_value(); }));
}

}  // namespace cuvier::gpu
