#include "framework/state_archive.hpp"

#include "framework/error.hpp"

namespace clarke {

void StateArchive::refuse(const std::string& name, const std::string& what) const {
  throw InputError("checkpoint: '" + path(name) + "' " + what + ": it was written for another model or other options");
}

bool StateArchive::has_group(const std::string& name) const {
  if (!reading_) return true;
  const std::string begin = path(name) + '/';
  const auto at = record_.lower_bound(begin);
  return at != record_.end() && at->first.starts_with(begin);
}

void StateArchive::group(const std::string& name, const std::function<void()>& inside) {
  const std::string outside = prefix_;
  prefix_ += name + '/';
  inside();
  prefix_ = outside;
}

/// Writing: an empty entry. Reading: the one that is there.
template <class T>
std::vector<T>& StateArchive::entry(const std::string& name) {
  if (!reading_) return std::get<std::vector<T>>(record_.insert_or_assign(path(name), std::vector<T>()).first->second);
  const auto at = record_.find(path(name));
  if (at == record_.end()) refuse(name, "is missing");
  auto* values = std::get_if<std::vector<T>>(&at->second);
  if (!values) refuse(name, "is of another kind");
  return *values;
}
template std::vector<double>& StateArchive::entry(const std::string&);
template std::vector<std::int64_t>& StateArchive::entry(const std::string&);
template std::vector<std::string>& StateArchive::entry(const std::string&);

void StateArchive::reals(const std::string& name, std::vector<double>& values) {
  reading_ ? void(values = entry<double>(name)) : void(entry<double>(name) = values);
}
void StateArchive::integers(const std::string& name, std::vector<std::int64_t>& values) {
  reading_ ? void(values = entry<std::int64_t>(name)) : void(entry<std::int64_t>(name) = values);
}
void StateArchive::texts(const std::string& name, std::vector<std::string>& values) {
  reading_ ? void(values = entry<std::string>(name)) : void(entry<std::string>(name) = values);
}

void StateArchive::real(const std::string& name, double& value) {
  std::vector<double> one{value};
  reals(name, one);
  if (one.size() != 1) refuse(name, "is no single number");
  value = one[0];
}
void StateArchive::integer(const std::string& name, long& value) {
  std::vector<std::int64_t> one{value};
  integers(name, one);
  if (one.size() != 1) refuse(name, "is no single number");
  value = one[0];
}
void StateArchive::integer(const std::string& name, int& value) {
  long wide = value;
  integer(name, wide);
  if (wide != static_cast<int>(wide)) refuse(name, "is too large");
  value = static_cast<int>(wide);
}
void StateArchive::flag(const std::string& name, bool& value) {
  int number = value ? 1 : 0;
  integer(name, number);
  value = number != 0;
}
void StateArchive::text(const std::string& name, std::string& value) {
  std::vector<std::string> one{value};
  texts(name, one);
  if (one.size() != 1) refuse(name, "is no single text");
  value = one[0];
}

}  // namespace clarke
