#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes a valid baseline file to `bytes`, and returns its size; 0 if it is larger than `capacity`.
///
/// The size up to 100x100, the sampling, the quality, the noise, the restart interval, and whether the codes are
/// optimized depend on `seed` alone.
size_t write_random_file(uint8_t *bytes, size_t capacity, uint32_t seed);
