#pragma once

namespace clarke {

/// Registers the time discretisations; called once by register_all().
void register_integrators();

}  // namespace clarke
