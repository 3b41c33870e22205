#pragma once

namespace clarke {

/// Registers NCP functions, friction maps, r-factors, contact laws and SNES types; called once by register_all().
void register_ncp();

}  // namespace clarke
