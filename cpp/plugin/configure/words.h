// Strings of a configuration -> words and numbers.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_WORDS_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_WORDS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mujocable {

// words and numbers in a row
template <typename... Parts>
std::string Joined(const Parts&... parts) {
  std::string text;
  const auto add = [&](const auto& part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_floating_point_v<Part>) {
      char digits[32];  // of any number at %g
      text.append(digits, std::snprintf(digits, sizeof digits, "%g", part));
    } else if constexpr (std::is_arithmetic_v<Part>) {
      text += std::to_string(part);
    } else {
      text += part;
    }
  };
  (add(parts), ...);
  return text;
}

// thrown inside the configuration code only; never leaves it
struct ConfigError {
  std::string message;
};
template <typename... Parts>
[[noreturn]] void Refuse(const Parts&... parts) {
  throw ConfigError{Joined(parts...)};
}

// name of an object as it was given, "" when it has none; for a message: "#id" then
inline std::string GivenName(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name ? name : "";
}
inline std::string NameOf(const mjModel* m, int type, int id) {
  const std::string name = GivenName(m, type, id);
  return name.empty() ? Joined("#", id) : name;
}

inline std::string_view Trimmed(std::string_view text) {
  constexpr char kBlank[] = " \t\n\v\f\r";
  const size_t first = text.find_first_not_of(kBlank), last = text.find_last_not_of(kBlank);
  return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

// parts between separators, trimmed
inline std::vector<std::string_view> Parts(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.push_back(Trimmed(text.substr(begin, end - begin)));
  }
  return parts;
}

// the same where a separator at the end opens no new part
inline std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts = Parts(text, separator);
  if (parts.back().empty()) parts.pop_back();
  return {parts.begin(), parts.end()};
}

// what blanks, tabs and line ends separate
inline std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// a name written in a string: %20 stands for a blank, %3B for a semicolon, %25 for itself
inline std::string Decoded(const std::string& text) {
  std::string name;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 2]));
    name += code ? static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)) : text[i];
    if (code) i += 2;
  }
  return name;
}

// the whole string is one decimal number; "inf" counts, NaN does not
inline bool ParseNumber(std::string_view text, double& value) {
  const std::string word(Trimmed(text));
  char* end = nullptr;
  value = std::strtod(word.c_str(), &end);
  const bool decimal = word.find_first_of("xX") == std::string::npos;
  return !word.empty() && decimal && *end == '\0' && !std::isnan(value);
}

// "a, b, c" for a message, cut after a dozen unless told
inline std::string Listed(const std::vector<std::string>& names, size_t shown = 12) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), shown); ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > shown) text += ", and " + std::to_string(names.size() - shown) + " more";
  return names.empty() ? "none" : text;
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_WORDS_H_
