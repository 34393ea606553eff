#pragma once

#include "reduced_vectors.h"

#include <stddef.h>

// libjpeg's inverse transforms of a block to fewer samples (jpeg_idct_1x1, jpeg_idct_2x2 and jpeg_idct_4x4), for
// coefficients that do not exceed its ranges. Outside of them its implementations differ from each other.
//
// The last two multiply a block's columns, and then the resulting rows, by a matrix. The weights of coefficients 0 to 7
// in the first half of the samples, in 8192ths, are the following. Those of the second half are the same with opposite
// signs for odd coefficients.
//
//   2x2      32768   29692       0  -10426       0    6967       0   -5906
//   4x4      16384   20995   15137    7373       0   -4926   -6270   -4176
//            16384    8697  -15137  -17799       0   11893    6270   -1730

enum {
    block_side = 8,
    block_size = block_side * block_side,
    /// The maximum absolute value of a coefficient times its quantizer. The results of the first pass must be below it.
    max_coefficient = 1 << 14,
    transform_bits = 13,
    first_pass_bits = 2,
    /// The maximum absolute value of a sample without its offset that is clamped correctly.
    max_excess = 512,
    sample_center = 128,
};

/// The coefficients of a block by row, and an element for others.
struct block {
    _Alignas(16) int16_t values[block_size + 8];
};

/// Converts a DC coefficient to the sample, or to all samples if there are no others. Returns false if it is out of
/// range.
static inline bool transform_dc(int32_t dc, uint8_t *sample) {
    int32_t value = (dc + 4) >> 3, centered = value + sample_center;
    *sample = (uint8_t)(centered < 0 ? 0 : centered > 255 ? 255 : centered);
    return value >= -max_excess && value < max_excess;
}

/// Returns a row of coefficients times their quantizers.
static inline halves dequantized(const struct block *block, const int16_t *quantizers, int row) {
    return halves_load(block->values + row * block_side) * halves_load(quantizers + row * block_side);
}

static inline words descaled(words values, int bits) { return (values + (1 << (bits - 1))) >> bits; }

/// Sets the coefficients to 0 that the transform to `scale` samples uses.
static inline void block_clear(struct block *block, uint32_t scale) {
    for (int row = 0; row < block_side; row++) {
        bool is_used = scale == 4 || row == 0 || row % 2 == 1;
        if (is_used) memset(block->values + row * block_side, 0, block_side * sizeof *block->values);
    }
}

/// Writes 2x2 samples. Returns false if a value is out of range.
static inline bool transform_2x2(
    const struct block *block, const int16_t *quantizers, uint8_t *samples, size_t stride) {
    enum { even_bits = transform_bits + 2, end_bits = transform_bits + first_pass_bits + 3 + 2 };
    halves row_0 = dequantized(block, quantizers, 0), row_1 = dequantized(block, quantizers, 1);
    halves row_3 = dequantized(block, quantizers, 3), row_5 = dequantized(block, quantizers, 5);
    halves row_7 = dequantized(block, quantizers, 7);
    // The columns 0 to 3 and 4 to 7.
    words even[] = {first_scaled(row_0, even_bits), last_scaled(row_0, even_bits)};
    words odd[] = {
        weighted_sums(first_pairs(row_1, row_3), 29692, -10426) + weighted_sums(first_pairs(row_5, row_7), 6967, -5906),
        weighted_sums(last_pairs(row_1, row_3), 29692, -10426) + weighted_sums(last_pairs(row_5, row_7), 6967, -5906),
    };
    enum { first_bits = transform_bits - first_pass_bits + 2 };
    halves top = narrowed(descaled(even[0] + odd[0], first_bits), descaled(even[1] + odd[1], first_bits));
    halves bottom = narrowed(descaled(even[0] - odd[0], first_bits), descaled(even[1] - odd[1], first_bits));
    const halves used = {-1, -1, 0, -1, 0, -1, 0, -1};
    if (!are_in_range(((top + max_coefficient) | (bottom + max_coefficient)) & used, max_coefficient)) return false;

    const halves weights = {0, 29692, 0, -10426, 0, 6967, 0, -5906};
    words top_sums = sums_of_products(top, weights), bottom_sums = sums_of_products(bottom, weights);
    words sums = first_words(top_sums, bottom_sums) + last_words(top_sums, bottom_sums);
    // Of the top, the bottom, and both again.
    words row_odd = sums + sums.zwxy, row_even = first_scaled(first_pairs(top, bottom).s01010101, even_bits);
    halves columns = narrowed(descaled(row_even + row_odd, end_bits), descaled(row_even - row_odd, end_bits));
    if (!are_in_range(columns + max_excess, max_excess)) return false;
    uint32_t both = (uint32_t)((words)packed(columns.s04150415 + sample_center, columns)).x;
    uint16_t rows[] = {(uint16_t)both, (uint16_t)(both >> 16)};
    memcpy(samples, &rows[0], sizeof rows[0]);
    memcpy(samples + stride, &rows[1], sizeof rows[1]);
    return true;
}

/// The coefficients of four columns of a block, or of four rows of the results, to be transformed to four samples each.
struct coefficients {
    /// Coefficient 0, scaled like a product with its weight.
    words scaled_0;
    /// Pairs of the coefficients 1 and 3, 2 and 6, 5 and 7.
    halves pairs_13, pairs_26, pairs_57;
};

/// The samples from first to last.
struct quarter {
    words values[4];
};

static inline struct quarter transform_quarter(const struct coefficients *from, int bits) {
    words even = weighted_sums(from->pairs_26, 15137, -6270);
    words outer = weighted_sums(from->pairs_13, 20995, 7373) + weighted_sums(from->pairs_57, -4926, -4176);
    words inner = weighted_sums(from->pairs_13, 8697, -17799) + weighted_sums(from->pairs_57, 11893, -1730);
    return (struct quarter){{
        descaled(from->scaled_0 + even + outer, bits),
        descaled(from->scaled_0 - even + inner, bits),
        descaled(from->scaled_0 - even - inner, bits),
        descaled(from->scaled_0 + even - outer, bits),
    }};
}

/// Transforms the columns of a block to `rows`. Returns false if a value is out of range.
static inline bool transform_columns(const struct block *block, const int16_t *quantizers, halves *rows) {
    halves from[block_side];
    for (int row = 0; row < block_side; row++) from[row] = dequantized(block, quantizers, row);
    struct coefficients first_four = {
        first_scaled(from[0], transform_bits + 1), first_pairs(from[1], from[3]), first_pairs(from[2], from[6]),
        first_pairs(from[5], from[7])};
    struct coefficients last_four = {
        last_scaled(from[0], transform_bits + 1), last_pairs(from[1], from[3]), last_pairs(from[2], from[6]),
        last_pairs(from[5], from[7])};
    struct quarter first = transform_quarter(&first_four, transform_bits - first_pass_bits + 1);
    struct quarter last = transform_quarter(&last_four, transform_bits - first_pass_bits + 1);
    halves all = 0;
    for (int row = 0; row < 4; row++) {
        rows[row] = narrowed(first.values[row], last.values[row]);
        all |= rows[row] + max_coefficient;
    }
    const halves used = {-1, -1, -1, -1, 0, -1, -1, -1};
    return are_in_range(all & used, max_coefficient);
}

/// Writes 4x4 samples. Returns false if a value is out of range.
static inline bool transform_4x4(
    const struct block *block, const int16_t *quantizers, uint8_t *samples, size_t stride) {
    halves rows[4];
    if (!transform_columns(block, quantizers, rows)) return false;
    words first_01 = (words)first_pairs(rows[0], rows[1]), first_23 = (words)first_pairs(rows[2], rows[3]);
    words last_01 = (words)last_pairs(rows[0], rows[1]), last_23 = (words)last_pairs(rows[2], rows[3]);
    // Two columns each.
    halves columns_01 = (halves)first_words(first_01, first_23), columns_23 = (halves)last_words(first_01, first_23);
    halves columns_45 = (halves)first_words(last_01, last_23), columns_67 = (halves)last_words(last_01, last_23);
    struct coefficients from = {
        first_scaled(columns_01, transform_bits + 1), last_pairs(columns_01, columns_23),
        first_pairs(columns_23, columns_67), last_pairs(columns_45, columns_67)};
    struct quarter to = transform_quarter(&from, transform_bits + first_pass_bits + 3 + 1);

    halves columns_02 = narrowed(to.values[0], to.values[2]), columns_13 = narrowed(to.values[1], to.values[3]);
    if (!are_in_range((columns_02 + max_excess) | (columns_13 + max_excess), max_excess)) return false;
    words left = (words)first_pairs(columns_02, columns_13), right = (words)last_pairs(columns_02, columns_13);
    halves top = (halves)first_words(left, right), bottom = (halves)last_words(left, right);
    words all = (words)packed(top + sample_center, bottom + sample_center);
    for (int row = 0; row < 4; row++) {
        int32_t row_bytes = all[row];
        memcpy(samples + (size_t)row * stride, &row_bytes, sizeof row_bytes);
    }
    return true;
}
