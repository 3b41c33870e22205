#pragma once
// What goes on from one step to the next, told once for both directions: each owner of such a state has
//
//   void carry_over(StateArchive& archive) {
//     archive.real("last_epsilon", last_epsilon_);
//     archive.view("last_impulse", last_impulse_);
//   }
//
// and the same lines write a checkpoint and read it (postprocess/checkpoint_file.hpp). A run that continues from what
// was written gives the same bits as one that was not interrupted: whatever a step reads that is neither the model nor
// an option must be here, or must be made anew in every step.
//
// A record is a flat list of named arrays; names are paths, "contributors/2 contact/id". Numbers are kept as they are,
// all 64 bits. Reading throws InputError, which names the entry that is missing or has another length: the record is of
// another model.

#include "framework/device.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace clarke {

using StateEntry = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;
using StateRecord = std::map<std::string, StateEntry>;

class StateArchive {
 public:
  /// Collects what it is told.
  StateArchive() = default;
  /// Gives back what `record` holds.
  explicit StateArchive(StateRecord record) : record_(std::move(record)), reading_(true) {}

  bool reading() const { return reading_; }
  /// Of a writing archive: everything so far.
  const StateRecord& record() const { return record_; }
  /// Reading: whether there is anything under this group; writing: true.
  bool has_group(const std::string& name) const;

  /// Everything that `inside` names is below `name`.
  void group(const std::string& name, const std::function<void()>& inside);

  void real(const std::string& name, double& value);
  void integer(const std::string& name, int& value);
  void integer(const std::string& name, long& value);
  void flag(const std::string& name, bool& value);
  void text(const std::string& name, std::string& value);
  /// Of any length.
  void reals(const std::string& name, std::vector<double>& values);
  void integers(const std::string& name, std::vector<std::int64_t>& values);
  void texts(const std::string& name, std::vector<std::string>& values);

  /// A view of a fixed length. T: a double, an int, a 64-bit number, or a struct of doubles.
  template <class T>
  void view(const std::string& name, const View<T>& values);
  /// `count` elements at the start of a buffer; reading sizes it.
  template <class T>
  void buffer(const std::string& name, Buffer<T>& values, int& count);

 private:
  template <class T>
  static constexpr bool kWhole = std::is_integral_v<T>;
  template <class T>
  static constexpr int kParts = kWhole<T> ? 1 : static_cast<int>(sizeof(T) / sizeof(double));

  template <class T>
  std::vector<T>& entry(const std::string& name);
  template <class T>
  void put(const std::string& name, const View<T>& values);
  /// Elements of `name` in the record, given so many numbers each.
  template <class T>
  std::size_t elements(const std::string& name);
  template <class T>
  void take(const std::string& name, const View<T>& values);
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const;
  std::string path(const std::string& name) const { return prefix_ + name; }

  StateRecord record_;
  std::string prefix_;
  bool reading_ = false;
};

template <class T>
void StateArchive::put(const std::string& name, const View<T>& values) {
  std::vector<T> host;
  to_host(values, host);
  if constexpr (kWhole<T>) {
    entry<std::int64_t>(name).assign(host.begin(), host.end());
  } else {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
    const auto* first = reinterpret_cast<const double*>(host.data());
    entry<double>(name).assign(first, first + host.size() * kParts<T>);
  }
}

template <class T>
std::size_t StateArchive::elements(const std::string& name) {
  if constexpr (kWhole<T>) {
    return entry<std::int64_t>(name).size();
  } else {
    const std::size_t numbers = entry<double>(name).size();
    if (numbers % kParts<T> != 0) refuse(name, "has " + std::to_string(numbers) + " numbers");
    return numbers / kParts<T>;
  }
}

template <class T>
void StateArchive::take(const std::string& name, const View<T>& values) {
  std::vector<T> host(values.extent(0));
  if constexpr (kWhole<T>) {
    const std::vector<std::int64_t>& numbers = entry<std::int64_t>(name);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(numbers[i]);
  } else {
    const std::vector<double>& numbers = entry<double>(name);
    std::copy(numbers.begin(), numbers.end(), reinterpret_cast<double*>(host.data()));
  }
  to_device(host, values);
}

template <class T>
void StateArchive::view(const std::string& name, const View<T>& values) {
  if (!reading_) return put(name, values);
  const std::size_t found = elements<T>(name);
  if (found != values.extent(0))
    refuse(name, "has " + std::to_string(found) + " entries instead of " + std::to_string(values.extent(0)));
  take(name, values);
}

template <class T>
void StateArchive::buffer(const std::string& name, Buffer<T>& values, int& count) {
  if (!reading_) return put<T>(name, values.resize(count));
  count = static_cast<int>(elements<T>(name));
  take<T>(name, values.resize(count));
}

}  // namespace clarke
