#pragma once
// name -> {summary, citation, factory}. One registry per kind of exchangeable thing ("ncp_function", "r_factor", …).
// Filled by explicit lists (register.cpp of each folder), never by static constructors; immutable after that.

#include "framework/error.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clarke {

/// What `clarke list` shows of a registered thing.
struct Registration {
  std::string kind;      // registry it belongs to, e.g. "ncp_function"
  std::string name;      // option value, file name, test name, heading in the docs
  std::string summary;   // one sentence
  std::string citation;  // "Author Year, eq. n" or ""
};

/// All registrations of the program in the order of registration, for `clarke list [kind]`.
std::vector<Registration>& registrations();

template <class Interface>
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Interface>()>;
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  void add(const std::string& name, const std::string& summary, const std::string& citation, Factory factory) {
    if (!factories_.emplace(name, std::move(factory)).second)
      throw std::logic_error(kind_ + " '" + name + "' is registered twice");
    names_.push_back(name);
    registrations().push_back({kind_, name, summary, citation});
  }
  /// Throws InputError with the nearest name when `name` is unknown.
  std::unique_ptr<Interface> create(const std::string& name) const {
    const auto it = factories_.find(name);
    if (it == factories_.end()) throw InputError("-" + kind_ + ": unknown '" + name + "'" + suggestion(name, names_));
    return it->second();
  }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
  std::map<std::string, Factory> factories_;
  std::vector<std::string> names_;
};

}  // namespace clarke
