#pragma once
// From the text of an option to its value. One place, so that an option that is read and one that is only checked (its
// owner is not selected) are refused for the same reasons in the same words. All throw InputError naming the option.

#include "framework/options.hpp"

#include <string>
#include <vector>

namespace clarke {

double option_real(const std::string& name, const std::string& text, const OptionInfo& info);
int option_integer(const std::string& name, const std::string& text, const OptionInfo& info);
/// true, yes, on, 1 and no value at all; false, no, off, 0.
bool option_flag(const std::string& name, const std::string& text);
std::string option_text(const std::string& name, const std::string& text);
std::string option_choice(const std::string& name, const std::string& text, const std::vector<std::string>& allowed);

/// Every described option that is in the database, checked against its declaration without being marked as read.
void check_described_values();

}  // namespace clarke
