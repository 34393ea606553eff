#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Kernels for rows of RGBA pixels. DarkroomCore contains a portable Swift version of each, with bit-identical results.
//
// "Pairs" are two pixels, side by side or one above the other, with interleaved values: r0 r1 g0 g1 b0 b1 a0 a1.
// A "block" is a horizontal pair of each of four rows: 32 values. Four rows are resized at once, and stored as blocks.
// "Premultiplied" values are red, green and blue times alpha, 0 to 65025, and 255 times alpha. "Products" are four
// floats: linear red, green and blue times alpha, and alpha.

#if defined(__x86_64__)

/// Whether the processor supports the functions that end in `_avx2`.
bool darkroom_has_avx2(void);

/// Whether the processor supports the functions that end in `_avx512`.
bool darkroom_has_avx512(void);

/// Makes blocks of four rows of `count` pixels, `stride` bytes apart. Writes whole groups of four pixels, so `blocks`
/// needs room for `count` rounded up.
void darkroom_blocks_of_bytes_avx2(const uint8_t *rows, size_t stride, size_t count, int16_t *blocks);

/// Makes blocks of premultiplied pixels, minus 32768. Writes whole groups of four pixels as well.
void darkroom_premultiplied_blocks_of_bytes_avx2(const uint8_t *rows, size_t stride, size_t count, int16_t *blocks);

/// Like `darkroom_blocks_of_bytes_avx2`.
void darkroom_blocks_of_bytes_avx512(const uint8_t *rows, size_t stride, size_t count, int16_t *blocks);

/// Like `darkroom_premultiplied_blocks_of_bytes_avx2`.
void darkroom_premultiplied_blocks_of_bytes_avx512(const uint8_t *rows, size_t stride, size_t count, int16_t *blocks);

/// Adds the next `group` pixels of the row, at most 256, to each sum of four channels. The last sum gets the remaining
/// ones.
void darkroom_add_groups_avx2(const uint8_t *pixels, size_t count, size_t group, uint32_t *sums);

/// Like `darkroom_add_groups_avx2`, with premultiplied pixels.
void darkroom_add_premultiplied_groups_avx2(const uint8_t *pixels, size_t count, size_t group, uint32_t *sums);

/// Makes pairs of sums, one for each block: each sum is multiplied by `scale`, the last one by `last_scale`, rounded,
/// and reduced by `offset`. Writes whole pairs. No sum may exceed 2^31 - 1.
void darkroom_pairs_of_sums_avx2(
    const uint32_t *sums, size_t count, float scale, float last_scale, int offset, int16_t *pairs);

/// Resizes the four rows of `blocks` to `count` pixels each. Then pairs the first two rows and the last two,
/// `out_stride` values apart. Each output pixel has a window of `taps` pixels, a multiple of four, that begins at an
/// even pixel.
void darkroom_resize_pairs_avx2(
    const int16_t *blocks, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count, int shift,
    int16_t *out, size_t out_stride);

/// Like `darkroom_resize_pairs_avx2`.
void darkroom_resize_pairs_avx512(
    const int16_t *blocks, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count, int shift,
    int16_t *out, size_t out_stride);

/// Writes a row of `count` opaque pixels: weighted sums of `taps` rows of pairs, starting with `first` in a ring of
/// `slots` rows that are `stride` values apart. The rows are padded to a multiple of eight pixels.
void darkroom_blend_pairs_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int shift, uint8_t *pixels);

/// Writes a row of `count` pixels with straight alpha: weighted sums of premultiplied pairs, plus `offset` and times
/// `scale`. Pixels with alpha 0 get the colour zero.
void darkroom_blend_premultiplied_pairs_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int32_t offset, float scale, uint8_t *pixels);

/// Makes blocks of linear light from four rows of `count` opaque pixels, `stride` bytes apart. `light` has the light of each
/// of the 256 values.
void darkroom_blocks_of_light(
    const uint8_t *rows, size_t stride, size_t count, const uint32_t *light, int16_t *blocks);

/// Adds the light of the next `group` opaque pixels of the row to each sum of four channels. The last sum gets that of the
/// remaining ones.
void darkroom_add_light_groups(
    const uint8_t *pixels, size_t count, size_t group, const uint32_t *light, uint32_t *sums);

/// Writes a row of `count` opaque pixels like `darkroom_blend_pairs_avx2`. The sums are light, and `values` has the value of
/// each light up to `most`.
void darkroom_blend_light_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int shift, const uint8_t *values, int32_t most, uint8_t *pixels);

/// Adds to each sum the mean of the next `group` products, or of the remaining ones, divided by `row_count`.
void darkroom_add_product_groups_avx2(
    const float *products, size_t count, size_t group, size_t row_count, float *sums);

/// Resizes four rows of products, `row_stride` values apart, to `count` products each, `out_stride` values apart. Each
/// output has a window of `taps` products, an even number.
void darkroom_resize_products_avx2(
    const float *rows, size_t row_stride, const uint32_t *starts, const float *weights, size_t taps, size_t count,
    float *out, size_t out_stride);

/// Writes a row of `count` products: weighted sums of `taps` rows, starting with `first` in a ring of `slots` rows that
/// are `stride` values apart. All rows are padded to a multiple of eight products.
void darkroom_blend_products_avx2(
    const float *ring, size_t stride, size_t slots, size_t first, const float *weights, size_t taps, size_t count,
    float *products);

#endif
