#include "app/arguments.hpp"

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/text.hpp"

#include <Kokkos_Macros.hpp>

#include <algorithm>

namespace clarke {
namespace {

bool begins_with(const std::string& word, const std::string& beginning) {
  return word.compare(0, beginning.size(), beginning) == 0;
}

/// Kokkos renamed its option with version 4.
std::string kokkos_threads(const std::string& count) {
#if KOKKOS_VERSION < 40000
  return "--kokkos-threads=" + count;
#else
  return "--kokkos-num-threads=" + count;
#endif
}

std::string thread_count(const std::vector<std::string>& words, std::size_t at) {
  std::string value = at < words.size() ? words[at] : "";
  const auto count = parse_integer(value);
  if (!count || *count < 1 || *count > 4096)
    throw InputError("-threads: expected a whole number in [1, 4096], got " +
                     (value.empty() ? "nothing" : "'" + value + "'"));
  return value;
}

}  // namespace

bool Arguments::has_flag(const std::string& flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  const std::vector<std::string> words(argv, argv + argc);
  arguments.program = words.empty() ? "clarke" : words[0];
  std::size_t i = 1;
  for (; i < words.size() && !begins_with(words[i], "-"); ++i) {
    if (arguments.command.empty()) {
      arguments.command = words[i];
    } else {
      arguments.positionals.push_back(words[i]);
    }
  }
  bool value_may_follow = false;  // an option takes at most one value
  for (; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (begins_with(word, "--kokkos-")) {
      arguments.kokkos.push_back(word);
      value_may_follow = false;
    } else if (word == "-threads" || word == "--threads") {
      arguments.kokkos.push_back(kokkos_threads(thread_count(words, ++i)));
      value_may_follow = false;
    } else if (begins_with(word, "--") && i + 1 < words.size() && !begins_with(words[i + 1], "-")) {
      throw InputError("'" + word + "': options have one dash: " + word.substr(1) + " " + words[i + 1]);
    } else if (const std::size_t sign = word.find('='); is_option_word(word) && sign != std::string::npos) {
      const std::size_t first = begins_with(word, "--") ? 1 : 0;  // options have one dash
      throw InputError("'" + word + "': an option and its value are two words: " + word.substr(first, sign - first) +
                       " " + word.substr(sign + 1));
    } else if (begins_with(word, "--") || word == "-h") {
      arguments.flags.push_back(word);
      value_may_follow = false;
    } else if (is_option_word(word)) {
      arguments.petsc.push_back(word);
      value_may_follow = true;
    } else if (value_may_follow) {
      arguments.petsc.push_back(word);
      value_may_follow = false;
    } else {
      throw InputError("unexpected '" + word + "': file names stand before the first option, and an option takes " +
                       "one value");
    }
  }
  return arguments;
}

ArgumentVector::ArgumentVector(const std::string& program, const std::vector<std::string>& words) : words_(words) {
  words_.insert(words_.begin(), program);
  for (std::string& word : words_) pointers_.push_back(word.data());
  pointers_.push_back(nullptr);
  argc_ = static_cast<int>(words_.size());
  argv_ = pointers_.data();
}

}  // namespace clarke
