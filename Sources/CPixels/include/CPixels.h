#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Kernels for rows of RGBA pixels. The portable form of each is in Swift, in DarkroomCore, and gives the same bits.
//
// "Pairs" are two pixels side by side, or of two rows one above the other, whose values alternate:
// r0 r1 g0 g1 b0 b1 a0 a1. "Premultiplied" are red, green and blue times alpha, 0 to 65025, and 255 times alpha.
// "Products" are four floats: red, green and blue light times alpha, and alpha.

#if defined(__x86_64__)

/// Whether the processor runs the functions that end in `_avx2`.
bool darkroom_has_avx2(void);

/// Whether the processor runs the functions that end in `_avx512`.
bool darkroom_has_avx512(void);

/// Makes pairs of the neighbours in a row. Writes whole groups of four pixels: room for `count` rounded up is needed.
void darkroom_pairs_of_bytes_avx2(const uint8_t *pixels, size_t count, int16_t *pairs);

/// Makes premultiplied pairs, less 32768, likewise.
void darkroom_premultiplied_pairs_of_bytes_avx2(const uint8_t *pixels, size_t count, int16_t *pairs);

/// Adds to each sum of four channels the next `group` pixels of the row, at most 256; to the last one those that are
/// left.
void darkroom_add_groups_avx2(const uint8_t *pixels, size_t count, size_t group, uint32_t *sums);

/// Adds them premultiplied.
void darkroom_add_premultiplied_groups_avx2(const uint8_t *pixels, size_t count, size_t group, uint32_t *sums);

/// Makes pairs of sums times `scale`, the last one times `last_scale`, rounded, less `offset`. Writes whole pairs. No
/// sum is beyond 2^31 - 1.
void darkroom_pairs_of_sums_avx2(
    const uint32_t *sums, size_t count, float scale, float last_scale, int offset, int16_t *pairs);

/// Resizes four rows of pairs, `row_stride` values apart, to `count` pixels each, and pairs the first two rows and
/// the last two, `out_stride` values apart. The window of a pixel is `taps` pixels, a multiple of four, from an even
/// start on.
void darkroom_resize_pairs_avx2(
    const int16_t *rows, size_t row_stride, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count,
    int shift, int16_t *out, size_t out_stride);

/// The same.
void darkroom_resize_pairs_avx512(
    const int16_t *rows, size_t row_stride, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count,
    int shift, int16_t *out, size_t out_stride);

/// Writes a row of `count` opaque pixels: weighted sums of `taps` rows of pairs, from `first` on in a ring of `slots`
/// rows that are `stride` values apart. The rows reach to a multiple of eight pixels.
void darkroom_blend_pairs_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int shift, uint8_t *pixels);

/// Writes a row of `count` pixels with straight alpha: likewise weighted sums, plus `offset` and times `scale`, of
/// premultiplied pairs. Colour under alpha 0 is zero.
void darkroom_blend_premultiplied_pairs_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int32_t offset, float scale, uint8_t *pixels);

/// Adds to each sum a part of the mean of the next `group` products, or of those that are left: that of one row of
/// `row_count`.
void darkroom_add_product_groups_avx2(
    const float *products, size_t count, size_t group, size_t row_count, float *sums);

/// Resizes four rows of products, `row_stride` values apart, to `count` products each, `out_stride` values apart. The
/// window of a product is `taps` products, an even number.
void darkroom_resize_products_avx2(
    const float *rows, size_t row_stride, const uint32_t *starts, const float *weights, size_t taps, size_t count,
    float *out, size_t out_stride);

/// Writes a row of `count` products: weighted sums of `taps` rows, from `first` on in a ring of `slots` rows that are
/// `stride` values apart. The rows, and the one that is written, reach to a multiple of eight products.
void darkroom_blend_products_avx2(
    const float *ring, size_t stride, size_t slots, size_t first, const float *weights, size_t taps, size_t count,
    float *products);

#endif
