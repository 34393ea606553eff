#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Vectors for the transforms and the conversion of colors. Most functions are single instructions of SSE2, but
// compilers do not recognize all of them once they are inlined. So some exist twice, and tests define REDUCED_PORTABLE
// to run those for other processors.
#if defined(__SSE2__) && !defined(REDUCED_PORTABLE)
#define REDUCED_SSE2
#include <emmintrin.h>
#endif

typedef int16_t halves __attribute__((ext_vector_type(8)));
typedef int32_t words __attribute__((ext_vector_type(4)));
typedef uint8_t bytes __attribute__((ext_vector_type(16)));

static inline halves halves_load(const int16_t *values) {
    halves result;
    memcpy(&result, values, sizeof result);
    return result;
}

static inline halves halves_load_bytes(const uint8_t *values) {
    typedef uint8_t eight_bytes __attribute__((ext_vector_type(8)));
    eight_bytes result;
    memcpy(&result, values, sizeof result);
    return __builtin_convertvector(result, halves);
}

/// Interleaves the first, or the last, four elements of two vectors.
static inline halves first_pairs(halves a, halves b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
static inline halves last_pairs(halves a, halves b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Interleaves the first, or the last, two elements of two vectors.
static inline words first_words(words a, words b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
static inline words last_words(words a, words b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }

/// Multiplies the elements of the vectors, and returns the sums of pairs of products.
static inline words sums_of_products(halves a, halves b) {
#ifdef REDUCED_SSE2
    return (words)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    typedef int32_t products __attribute__((ext_vector_type(8)));
    products all = __builtin_convertvector(a, products) * __builtin_convertvector(b, products);
    return all.even + all.odd;
#endif
}

static inline words weighted_sums(halves pairs, int16_t first, int16_t second) {
    return sums_of_products(pairs, (halves){first, second, first, second, first, second, first, second});
}

/// Returns the first, or the last, four elements times a power of two, with 32 bits.
static inline words first_scaled(halves a, int shift) { return (words)first_pairs((halves)(0), a) >> (16 - shift); }
static inline words last_scaled(halves a, int shift) { return (words)last_pairs((halves)(0), a) >> (16 - shift); }

/// Returns the elements clamped to 16 bits.
static inline halves narrowed(words first, words last) {
#ifdef REDUCED_SSE2
    return (halves)_mm_packs_epi32((__m128i)first, (__m128i)last);
#else
    typedef int32_t eight __attribute__((ext_vector_type(8)));
    eight all = __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7);
    eight clamped = __builtin_elementwise_min(__builtin_elementwise_max(all, (eight)(INT16_MIN)), (eight)(INT16_MAX));
    return __builtin_convertvector(clamped, halves);
#endif
}

/// Returns the elements of both vectors clamped to bytes.
static inline bytes packed(halves first, halves last) {
#ifdef REDUCED_SSE2
    return (bytes)_mm_packus_epi16((__m128i)first, (__m128i)last);
#else
    typedef int16_t sixteen __attribute__((ext_vector_type(16)));
    sixteen all = __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    sixteen clamped = __builtin_elementwise_min(__builtin_elementwise_max(all, (sixteen)(0)), (sixteen)(255));
    return __builtin_convertvector(clamped, bytes);
#endif
}

/// Whether all elements plus `range`, which is a power of two, are from 0 to `2 * range - 1`.
static inline bool are_in_range(halves with_range_added, int range) {
    typedef uint64_t parts __attribute__((ext_vector_type(2)));
    parts both = (parts)with_range_added;
    uint64_t outside = (uint16_t)~(2 * range - 1);
    return ((both.x | both.y) & outside * UINT64_C(0x0001000100010001)) == 0;
}
