#include "CSimilarity.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

/// Four neighbouring values. All work is done on them one by one, so that results do not depend on the processor.
typedef float block __attribute__((vector_size(16)));
typedef uint32_t bits __attribute__((vector_size(16)));

enum { width = 4 };

static inline block load(const float *values) {
    block result;
    memcpy(&result, values, sizeof result);
    return result;
}

static inline void store(block values, float *target) { memcpy(target, &values, sizeof values); }

static inline block all(float value) { return (block){value, value, value, value}; }

static inline block magnitude(block values) { return (block)((bits)values & 0x7FFFFFFF); }

/// The values that are positive, and 0 in place of others.
static inline block positive(block values) { return (block)((bits)values & (bits)(values > all(0))); }

/// The cube roots of positive numbers, with an error of a few units in the last place.
///
/// The first guess divides the exponent by three, which is off by up to 4 %. Each step of Halley's method cubes that.
static inline block cube_root(block values) {
    bits third = ((bits)values >> 2) + ((bits)values >> 4);
    third += third >> 4;
    third += third >> 8;
    block root = (block)(third + 0x2A5137A0);
    for (int step = 0; step < 2; step++) {
        block cube = root * root * root;
        root *= (cube + values + values) / (cube + cube + values);
    }
    return root;
}

void darkroom_light(
    const uint8_t *pixels, size_t count, const float *table, uint32_t background, float *red, float *green, float *blue) {
    for (size_t x = 0; x < count; x++, pixels += 4) {
        uint32_t alpha = pixels[3], behind = (255 - alpha) * background + 127;
        red[x] = table[(pixels[0] * 16 * alpha + behind) / 255];
        green[x] = table[(pixels[1] * 16 * alpha + behind) / 255];
        blue[x] = table[(pixels[2] * 16 * alpha + behind) / 255];
    }
}

void darkroom_colors_of_light(
    const float *red, const float *green, const float *blue, float *x, float *y, float *b, size_t count) {
    const float bias = 0.0037930733f, bias_root = 0.1559542f;
    for (size_t index = 0; index < count; index += width) {
        block r = load(red + index), g = load(green + index), l = load(blue + index);
        block large = cube_root(r * 0.3f + g * 0.622f + l * 0.078f + bias);
        block medium = cube_root(r * 0.23f + g * 0.692f + l * 0.078f + bias);
        block small = cube_root(r * 0.24342269f + g * 0.20476744f + l * 0.55180987f + bias) - bias_root;
        block mean = (large + medium) * 0.5f - bias_root;
        store((large - medium) * 7.0f + 0.42f, x + index);
        store(mean + 0.01f, y + index);
        store(small - mean + 0.55f, b + index);
    }
}

void darkroom_products(const float *first, const float *second, float *squares, float *products, size_t count) {
    for (size_t x = 0; x < count; x += width) {
        block one = load(first + x), other = load(second + x);
        store(one * one + other * other, squares + x);
        store(one * other, products + x);
    }
}

/// The Gaussian of the published metric: an approximation by three cosines, which ends after four pixels (Charalampidis,
/// Recursive Implementation of the Gaussian Filter Using Truncated Cosine Functions, 2016).
static inline block blur(block center, block next, block second, block third, block fourth) {
    return center * 0.2646211f + next * 0.21292859f + second * 0.10933537f + third * 0.036011115f + fourth * 0.009414368f;
}

void darkroom_blur_across(const float *row, float *blurred, size_t count) {
    for (size_t x = 0; x < count; x += width) {
        const float *at = row + x;
        block result = blur(
            load(at), load(at - 1) + load(at + 1), load(at - 2) + load(at + 2), load(at - 3) + load(at + 3),
            load(at - 4) + load(at + 4));
        store(result, blurred + x);
    }
}

static inline block blur_down(const float *const rows[9], size_t x) {
    return blur(
        load(rows[4] + x), load(rows[3] + x) + load(rows[5] + x), load(rows[2] + x) + load(rows[6] + x),
        load(rows[1] + x) + load(rows[7] + x), load(rows[0] + x) + load(rows[8] + x));
}

void darkroom_halve(const float *above, const float *below, float *half, size_t count) {
    for (size_t x = 0; x < count; x += width) {
        block left = load(above + 2 * x) + load(below + 2 * x);
        block right = load(above + 2 * x + width) + load(below + 2 * x + width);
        block even = __builtin_shufflevector(left, right, 0, 2, 4, 6);
        block odd = __builtin_shufflevector(left, right, 1, 3, 5, 7);
        store((even + odd) * 0.25f, half + x);
    }
}

/// The difference of structure by SSIM, without its weight of dark areas: 0 or more.
///
/// Equal images have exactly 0: the variances are then twice the covariance, bit by bit.
static inline block structure(block first, block second, block squares, block products) {
    block difference = first - second;
    block covariance = (products - first * second) * 2.0f + 0.0009f;
    block variances = squares - (first * first + second * second) + 0.0009f;
    return positive(1.0f - (1.0f - difference * difference) * covariance / variances);
}

static inline void add(block values, block *sum, block *power_sum) {
    block squares = values * values;
    *sum += values;
    *power_sum += squares * squares;
}

void darkroom_add_differences(
    const float *first, const float *second, const float *const blurred[36], size_t count, double sums[6]) {
    block total[6] = {{0}};
    for (size_t x = 0; x < count; x += width) {
        block first_mean = blur_down(blurred, x), second_mean = blur_down(blurred + 9, x);
        block squares = blur_down(blurred + 18, x), products = blur_down(blurred + 27, x);
        block first_edge = magnitude(load(first + x) - first_mean), second_edge = magnitude(load(second + x) - second_mean);
        block edges = (second_edge + 1.0f) / (first_edge + 1.0f) - 1.0f;
        block shapes = structure(first_mean, second_mean, squares, products);
        for (size_t beyond = count - x; beyond < width; beyond++) edges[beyond] = shapes[beyond] = 0;
        add(shapes, &total[0], &total[3]);
        add(positive(edges), &total[1], &total[4]);
        add(positive(-edges), &total[2], &total[5]);
    }
    for (int kind = 0; kind < 6; kind++)
        for (int index = 0; index < width; index++) sums[kind] += total[kind][index];
}
