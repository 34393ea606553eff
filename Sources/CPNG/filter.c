#include "CPNG.h"
#include "paeth.h"

#include <string.h>

#if defined(__x86_64__)
#include <smmintrin.h>
#define VECTOR __attribute__((target("sse4.1"), always_inline)) static inline
#endif

#define FILTER_COUNT 5

// Larger differences count as this one: how large they are hardly matters for the number of bits they take. This makes
// graphics smaller than the plain sum of differences does, and photographs no larger.
#define MAX_MAGNITUDE 32

// Returns byte `n` of a row after applying `filter`.
static inline uint8_t filtered(int filter, size_t step, const uint8_t *row, const uint8_t *above, size_t n) {
    const uint8_t *left = row + n - step, *corner = above + n - step;
    switch (filter) {
    case CPNG_FILTER_NONE: return row[n];
    case CPNG_FILTER_SUB: return row[n] - *left;
    case CPNG_FILTER_UP: return row[n] - above[n];
    case CPNG_FILTER_AVERAGE: return row[n] - (*left + above[n]) / 2;
    default: return row[n] - paeth(*left, above[n], *corner);
    }
}

static inline uint64_t magnitude(uint8_t difference) {
    int magnitude = abs((int8_t)difference);
    return magnitude < MAX_MAGNITUDE ? magnitude : MAX_MAGNITUDE;
}

// Adds to `sums` the magnitudes for each filter over the bytes from `start` on.
static void add_sums(
    uint64_t *sums, size_t step, const uint8_t *row, const uint8_t *above, size_t start, size_t count) {
    for (size_t n = start; n < count; n++)
        for (int filter = 0; filter < FILTER_COUNT; filter++)
            sums[filter] += magnitude(filtered(filter, step, row, above, n));
}

static void write_filtered(
    int filter, size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t start, size_t count) {
    for (size_t n = start; n < count; n++) target[n] = filtered(filter, step, row, above, n);
}

// Returns the filter with the smallest sum, the first one if there are several.
static int best_filter(const uint64_t *sums) {
    int best = 0;
    for (int filter = 1; filter < FILTER_COUNT; filter++)
        if (sums[filter] < sums[best]) best = filter;
    return best;
}

void cpng_filter_portable(size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count) {
    uint64_t sums[FILTER_COUNT] = {0};
    add_sums(sums, step, row, above, 0, count);
    target[0] = best_filter(sums);
    write_filtered(target[0], step, target + 1, row, above, 0, count);
}

#if defined(__x86_64__)

VECTOR __m128i load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

VECTOR __m128i paeth_of_16(__m128i left, __m128i up, __m128i corner) {
    __m128i up_over = _mm_subs_epu8(up, corner), up_under = _mm_subs_epu8(corner, up);
    __m128i left_over = _mm_subs_epu8(left, corner), left_under = _mm_subs_epu8(corner, left);
    __m128i by_left = _mm_or_si128(up_over, up_under), by_up = _mm_or_si128(left_over, left_under);
    // The distances add up when both lie on one side of the corner. Saturating at 255 does not change which is
    // smallest.
    __m128i is_between = _mm_or_si128(_mm_min_epu8(up_over, left_under), _mm_min_epu8(up_under, left_over));
    __m128i is_beside = _mm_cmpeq_epi8(is_between, _mm_setzero_si128());
    __m128i difference = _mm_or_si128(_mm_subs_epu8(by_left, by_up), _mm_subs_epu8(by_up, by_left));
    __m128i by_corner = _mm_blendv_epi8(difference, _mm_adds_epu8(by_left, by_up), is_beside);
    __m128i least = _mm_min_epu8(by_left, _mm_min_epu8(by_up, by_corner));
    __m128i other = _mm_blendv_epi8(corner, up, _mm_cmpeq_epi8(least, by_up));
    return _mm_blendv_epi8(other, left, _mm_cmpeq_epi8(least, by_left));
}

VECTOR __m128i filtered_16(int filter, size_t step, const uint8_t *row, const uint8_t *above, size_t n) {
    __m128i bytes = load(row + n), left = load(row + n - step), up = load(above + n);
    switch (filter) {
    case CPNG_FILTER_NONE: return bytes;
    case CPNG_FILTER_SUB: return _mm_sub_epi8(bytes, left);
    case CPNG_FILTER_UP: return _mm_sub_epi8(bytes, up);
    case CPNG_FILTER_AVERAGE: {
        __m128i odd = _mm_and_si128(_mm_xor_si128(left, up), _mm_set1_epi8(1));
        // The average instruction rounds up.
        return _mm_sub_epi8(bytes, _mm_sub_epi8(_mm_avg_epu8(left, up), odd));
    }
    default: return _mm_sub_epi8(bytes, paeth_of_16(left, up, load(above + n - step)));
    }
}

VECTOR void write_16s(
    int filter, size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count) {
    for (size_t n = 0; n < count; n += 16)
        _mm_storeu_si128((__m128i *)(target + n), filtered_16(filter, step, row, above, n));
}

__attribute__((target("sse4.1"))) static void filter_in_16s(
    size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count) {
    size_t vector_count = count / 16 * 16;
    __m128i vectors[FILTER_COUNT] = {0};
    for (size_t n = 0; n < vector_count; n += 16)
        for (int filter = 0; filter < FILTER_COUNT; filter++) {
            __m128i magnitudes = _mm_abs_epi8(filtered_16(filter, step, row, above, n));
            magnitudes = _mm_min_epu8(magnitudes, _mm_set1_epi8(MAX_MAGNITUDE));
            vectors[filter] = _mm_add_epi64(vectors[filter], _mm_sad_epu8(magnitudes, _mm_setzero_si128()));
        }
    uint64_t sums[FILTER_COUNT];
    for (int filter = 0; filter < FILTER_COUNT; filter++)
        sums[filter] = (uint64_t)_mm_extract_epi64(vectors[filter], 0) + (uint64_t)_mm_extract_epi64(vectors[filter], 1);
    add_sums(sums, step, row, above, vector_count, count);
    int best = best_filter(sums);
    *target++ = best;
    switch (best) {
    case CPNG_FILTER_NONE: write_16s(CPNG_FILTER_NONE, step, target, row, above, vector_count); break;
    case CPNG_FILTER_SUB: write_16s(CPNG_FILTER_SUB, step, target, row, above, vector_count); break;
    case CPNG_FILTER_UP: write_16s(CPNG_FILTER_UP, step, target, row, above, vector_count); break;
    case CPNG_FILTER_AVERAGE: write_16s(CPNG_FILTER_AVERAGE, step, target, row, above, vector_count); break;
    default: write_16s(CPNG_FILTER_PAETH, step, target, row, above, vector_count);
    }
    write_filtered(best, step, target, row, above, vector_count, count);
}

#endif

void cpng_filter(size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.1")) return filter_in_16s(step, target, row, above, count);
#endif
    cpng_filter_portable(step, target, row, above, count);
}
