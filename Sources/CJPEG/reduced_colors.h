#pragma once

#include <stddef.h>
#include <stdint.h>

// Conversion of rows of samples to opaque RGBA, with the results of libjpeg.

/// A row of YCbCr samples.
struct color_row {
    const uint8_t *luma, *blue, *red;
    /// The number of bits by which positions in luma and in chroma differ.
    uint32_t chroma_shift;
};

void colors_convert_gray(const uint8_t *gray, uint8_t *rgba, size_t width);
void colors_convert(const struct color_row *row, uint8_t *rgba, size_t width);

/// Writes twice as many samples, interpolated linearly. `count` is at least 2.
void colors_double(const uint8_t *samples, size_t count, uint8_t *doubled);

/// Writes samples of a row that is three times as near to `samples` as to the row at the distance of `offset` from it.
void colors_blend(const uint8_t *samples, ptrdiff_t offset, size_t count, uint8_t *blended);
