#pragma once

#include <stddef.h>
#include <stdint.h>

// Kernels for rows of the metric SSIMULACRA2. They are in C because vectors in Swift are dozens of times slower than these
// where an app is built without optimization.
//
// Rows begin and end with at least eight more values. Counts are multiples of four unless they are said to be any number.
// No row overlaps another.

/// The light of `count` pixels, any number, in RGBA8 over a grey `background`. `table` has the light of 16 values for each
/// level of sRGB, so 4081, and the background is one of its indices.
void darkroom_light(
    const uint8_t *pixels, size_t count, const float *table, uint32_t background, float *red, float *green, float *blue);

/// The colours of light in XYB, scaled so that all are positive (ISO/IEC 18181-1; MakePositiveXYB of the published metric).
void darkroom_colors_of_light(
    const float *red, const float *green, const float *blue, float *x, float *y, float *b, size_t count);

/// The sums of the squares of both rows, and their products.
void darkroom_products(const float *first, const float *second, float *squares, float *products, size_t count);

/// Blurs a row with a standard deviation of 1.5 pixels. Four values on either side count as well.
void darkroom_blur_across(const float *row, float *blurred, size_t count);

/// Halves two rows of light, of twice as many values, to one of `count` values.
void darkroom_halve(const float *above, const float *below, float *half, size_t count);

/// Adds the differences of one channel of a row to six sums, for each of its `count` pixels, any number: of structure, of
/// added and of lost edges, and their fourth powers.
///
/// `blurred` are the nine rows from four above to four below, blurred across, of each of four kinds: both images, the sums of
/// their squares, and their products.
void darkroom_add_differences(
    const float *first, const float *second, const float *const blurred[36], size_t count, double sums[6]);
