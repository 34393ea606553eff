#pragma once

#include "CPNG.h"

#include <string.h>

// A conversion of rows with 16 bits per channel.
typedef struct {
    // NULL if there is none.
    cpng_convert *convert;
    void *context;
} deep_conversion;

// The number of pixels converted at once.
#define DEEP_COUNT ((size_t)256)

// Converts `width` pixels of four native values, which begin at `source` and need not be aligned, to RGBA8. `target` may
// be the same memory.
static inline void convert_deep(const deep_conversion *deep, uint8_t *target, const uint8_t *source, size_t width) {
    uint16_t values[4 * DEEP_COUNT];
    for (size_t x = 0; x < width; x += DEEP_COUNT) {
        size_t count = width - x < DEEP_COUNT ? width - x : DEEP_COUNT;
        memcpy(values, source + 8 * x, 8 * count);
        deep->convert(deep->context, values, target + 4 * x, count);
    }
}
