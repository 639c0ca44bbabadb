#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hypotheses/hypothesis.h"

namespace cuvier {

/// 1,536 below a million, 3.8e14 above.
std::string count_words(double count);
std::string count_words(std::integral auto count) {
  return count_words(static_cast<double>(count));
}

/// "1,250,000": of what people gave or will count themselves.
std::string all_digits(std::int64_t count);

/// "1 probe", "1,536 probes"; `many` where it is not `one` with an s.
std::string counted(double count, std::string_view one, std::string_view many = {});
std::string counted(std::integral auto count, std::string_view one, std::string_view many = {}) {
  return counted(static_cast<double>(count), one, many);
}

/// For a terminal, which control characters would command: they stand as \x1b, and newlines too
/// unless they are kept.
std::string without_controls(std::string_view text, bool keeps_lines);

/// "0.8 s", "41 s", "3 min 20 s".
std::string duration_words(double seconds);

/// Of what nobody knows well: "5 s", "40 s", "3 min", "1.5 h".
std::string roughly(double seconds);

/// To milliseconds, for JSON.
double rounded_seconds(double seconds);

/// For JSON: an integer wherever a double holds it exactly.
nlohmann::ordered_json json_number(double value);

/// Numbers in their order, runs short: "0,2..80,1,3..81", "5 (16 times)"; "-" for none.
std::string runs_words(const std::vector<int>& numbers);

/// Its name, "bfa"; without one what --model takes, and what that leaves unsaid: "queue=skip_ahead
/// (the rest as in algorithm-1)".
std::string model_words(const Hypothesis& hypothesis);

/// "most_room", "selection=most_room"; and of several values, "most_room, first_fit".
std::string value_name(int axis, int value);
std::string value_words(int axis, int value);
std::string value_names(int axis, const std::vector<int>& values);
std::vector<std::string> value_list(int axis, const std::vector<int>& values);

/// "the SM with the fewest resident warps (fewest_warps)".
std::string value_meaning(int axis, int value);

/// "Each block goes to the SM with the fewest resident warps"; what a value does, without a stop.
std::string value_sentence(int axis, int value);

/// Rows with aligned columns, `indent` spaces before each; the last column is not padded.
std::string aligned(const std::vector<std::vector<std::string>>& rows, int indent = 0);

}  // namespace cuvier
