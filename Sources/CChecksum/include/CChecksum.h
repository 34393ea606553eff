#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns the CRC-32C (Castagnoli) of `bytes`, continuing from `checksum`, the CRC-32C of the preceding bytes (0 at
/// the start). Uses the CRC instructions of the processor where available.
uint32_t darkroom_crc32c(uint32_t checksum, const void *bytes, size_t count);

/// Like `darkroom_crc32c`, but computed from a table on every processor.
uint32_t darkroom_crc32c_portable(uint32_t checksum, const void *bytes, size_t count);

/// Writes the MD5 (RFC 1321) of `bytes` to the 16 bytes at `digest`. It is no protection against forgery.
void darkroom_md5(const void *bytes, size_t count, uint8_t *digest);

/// Writes the SHA-256 (RFC 6234) of `bytes` to the 32 bytes at `digest`. Uses the SHA instructions of the processor where
/// available.
void darkroom_sha256(const void *bytes, size_t count, uint8_t *digest);

/// Returns whether the processor has instructions for SHA-256 that `darkroom_sha256` uses.
bool darkroom_has_sha256(void);

/// Like `darkroom_sha256`, but without these instructions.
void darkroom_sha256_portable(const void *bytes, size_t count, uint8_t *digest);
