#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg's inverse transforms of a block to a single sample and to 2x2 samples (jpeg_idct_1x1 and jpeg_idct_2x2), for
// coefficients that do not exceed its ranges. Outside of them its implementations differ from each other.

enum {
    /// The maximum absolute value of a coefficient times its quantizer, and of the results of the first pass.
    max_coefficient = 1 << 14,
    transform_bits = 13,
    first_pass_bits = 2,
    /// In the first row, or column, the coefficient is shifted by this instead of being weighted.
    even_shift = transform_bits + 2,
};

/// The sums over each column that take part in the 2x2 transform: 0, 1, 3, 5 and 7.
struct sums {
    /// The coefficient of the first row by column, then the weighted sums of rows 1, 3, 5 and 7, and an unused element.
    int32_t values[11];
};

enum { column_count = 5, unused_sum = 10 };

/// The weights of rows, or columns, 1, 3, 5 and 7.
static const int32_t odd_weights[] = {29692, -10426, 6967, -5906};

/// How a coefficient contributes to the sums.
struct contribution {
    /// The quantizer times the weight.
    int32_t factor;
    /// The index of the sum.
    uint32_t sum;
};

static inline int32_t rounded_shift(int32_t value, int shift) { return (value + (1 << (shift - 1))) >> shift; }

/// Converts `value` to a sample. Returns false if libjpeg would not clamp it correctly.
static inline bool to_sample(int32_t value, uint8_t *sample) {
    enum { center = 128, range = 512 };
    int32_t centered = value + center;
    *sample = (uint8_t)(centered < 0 ? 0 : centered > 255 ? 255 : centered);
    return value >= -range && value < range;
}

/// Converts a DC coefficient to the sample, or to all samples if there are no others.
static inline bool transform_dc(int32_t dc, uint8_t *sample) { return to_sample(rounded_shift(dc, 3), sample); }

/// Writes 2x2 samples. Returns false if a value is out of range.
static inline bool transform_sums(const struct sums *sums, uint8_t *samples, size_t stride) {
    int32_t rows[2][column_count];
    uint32_t excess = 0;
    for (int column = 0; column < column_count; column++) {
        int32_t even = sums->values[column], odd = sums->values[column_count + column];
        rows[0][column] = rounded_shift(even + odd, transform_bits - first_pass_bits + 2);
        rows[1][column] = rounded_shift(even - odd, transform_bits - first_pass_bits + 2);
        excess |= (uint32_t)(rows[0][column] + max_coefficient) | (uint32_t)(rows[1][column] + max_coefficient);
    }
    if (excess >= 2 * max_coefficient) return false;
    bool is_valid = true;
    for (int row = 0; row < 2; row++, samples += stride) {
        int32_t even = rows[row][0] * (1 << even_shift), odd = 0;
        for (int column = 1; column < column_count; column++) odd += rows[row][column] * odd_weights[column - 1];
        is_valid &= to_sample(rounded_shift(even + odd, transform_bits + first_pass_bits + 3 + 2), samples);
        is_valid &= to_sample(rounded_shift(even - odd, transform_bits + first_pass_bits + 3 + 2), samples + 1);
    }
    return is_valid;
}
