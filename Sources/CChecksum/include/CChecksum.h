#pragma once

#include <stddef.h>
#include <stdint.h>

/// Returns the CRC-32C (Castagnoli) of `bytes`, continuing from `checksum`, the CRC-32C of the preceding bytes (0 at
/// the start). Uses the CRC instructions of the processor where available.
uint32_t darkroom_crc32c(uint32_t checksum, const void *bytes, size_t count);

/// Like `darkroom_crc32c`, but computed from a table on every processor.
uint32_t darkroom_crc32c_portable(uint32_t checksum, const void *bytes, size_t count);
