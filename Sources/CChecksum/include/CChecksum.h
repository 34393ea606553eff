#pragma once

#include <stddef.h>
#include <stdint.h>

/// The CRC-32C (Castagnoli) of bytes that follow others whose CRC-32C is `checksum`, 0 for none.
/// Uses the processor's instructions where it has them.
uint32_t darkroom_crc32c(uint32_t checksum, const void *bytes, size_t count);

/// The same by table, on any processor.
uint32_t darkroom_crc32c_portable(uint32_t checksum, const void *bytes, size_t count);
