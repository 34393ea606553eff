#include "CPNG.h"
#include "paeth.h"

#include <string.h>

#if defined(__x86_64__)
#include <smmintrin.h>
#define VECTOR __attribute__((target("sse4.1"), always_inline)) static inline
#endif

void cpng_unfilter_portable(
    int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count) {
    switch (filter) {
    case CPNG_FILTER_NONE: memcpy(row, source, count); break;
    case CPNG_FILTER_SUB:
        memcpy(row, source, step);
        for (size_t n = step; n < count; n++) row[n] = source[n] + row[n - step];
        break;
    case CPNG_FILTER_UP:
        for (size_t n = 0; n < count; n++) row[n] = source[n] + above[n];
        break;
    case CPNG_FILTER_AVERAGE:
        for (size_t n = 0; n < step; n++) row[n] = source[n] + above[n] / 2;
        for (size_t n = step; n < count; n++) row[n] = source[n] + (row[n - step] + above[n]) / 2;
        break;
    default:
        for (size_t n = 0; n < step; n++) row[n] = source[n] + above[n];
        for (size_t n = step; n < count; n++) row[n] = source[n] + paeth(row[n - step], above[n], above[n - step]);
    }
}

#if defined(__x86_64__)

// Pixels are processed as words of 4 or 8 bytes. The surplus bytes belong to the next pixel and are overwritten by it.
VECTOR __m128i load(size_t step, const uint8_t *bytes) {
    uint64_t word = 0;
    memcpy(&word, bytes, step > 4 ? 8 : 4);
    return _mm_cvtsi64_si128((long long)word);
}

VECTOR void store(size_t step, uint8_t *bytes, __m128i pixel) {
    uint64_t word = (uint64_t)_mm_cvtsi128_si64(pixel);
    memcpy(bytes, &word, step > 4 ? 8 : 4);
}

VECTOR void add_left(size_t step, uint8_t *row, const uint8_t *source, size_t count) {
    __m128i left = _mm_setzero_si128();
    for (size_t n = 0; n < count; n += step) {
        left = _mm_add_epi8(left, load(step, source + n));
        store(step, row + n, left);
    }
}

VECTOR void add_average(size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count) {
    const __m128i one = _mm_set1_epi8(1);
    __m128i left = _mm_setzero_si128();
    for (size_t n = 0; n < count; n += step) {
        __m128i up = load(step, above + n);
        // The average instruction rounds up.
        __m128i average = _mm_sub_epi8(_mm_avg_epu8(left, up), _mm_and_si128(_mm_xor_si128(left, up), one));
        left = _mm_add_epi8(average, load(step, source + n));
        store(step, row + n, left);
    }
}

VECTOR void add_paeth(size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count) {
    // Channels of two bytes each; the upper byte is zero.
    __m128i left = _mm_setzero_si128(), corner = left;
    for (size_t n = 0; n < count; n += step) {
        __m128i up = _mm_cvtepu8_epi16(load(step, above + n));
        // The distances from left + up - corner. Each pixel depends on `left`, so little work is put on that dependency
        // chain.
        __m128i by_left = _mm_sub_epi16(up, corner), by_up = _mm_sub_epi16(left, corner);
        __m128i by_corner = _mm_abs_epi16(_mm_add_epi16(by_left, by_up));
        by_left = _mm_abs_epi16(by_left);
        by_up = _mm_abs_epi16(by_up);
        __m128i other = _mm_blendv_epi8(up, corner, _mm_cmpgt_epi16(by_up, by_corner));
        __m128i is_other = _mm_cmpgt_epi16(by_left, _mm_min_epi16(by_up, by_corner));
        __m128i nearest = _mm_blendv_epi8(left, other, is_other);
        left = _mm_add_epi8(nearest, _mm_cvtepu8_epi16(load(step, source + n)));
        corner = up;
        store(step, row + n, _mm_packus_epi16(left, left));
    }
}

VECTOR int unfilter_pixels(
    int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count) {
    switch (filter) {
    case CPNG_FILTER_SUB: add_left(step, row, source, count); return 1;
    case CPNG_FILTER_AVERAGE: add_average(step, row, source, above, count); return 1;
    case CPNG_FILTER_PAETH: add_paeth(step, row, source, above, count); return 1;
    default: return 0;
    }
}

// Returns whether it handled the filter. The compiler vectorizes the filters that do not read the pixel to the left.
__attribute__((target("sse4.1"))) static int unfilter(
    int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count) {
    switch (step) {
    case 1: return unfilter_pixels(filter, 1, row, source, above, count);
    case 2: return unfilter_pixels(filter, 2, row, source, above, count);
    case 3: return unfilter_pixels(filter, 3, row, source, above, count);
    case 4: return unfilter_pixels(filter, 4, row, source, above, count);
    case 6: return unfilter_pixels(filter, 6, row, source, above, count);
    case 8: return unfilter_pixels(filter, 8, row, source, above, count);
    default: return 0;
    }
}

#endif

void cpng_unfilter(
    int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.1") && unfilter(filter, step, row, source, above, count)) return;
#endif
    cpng_unfilter_portable(filter, step, row, source, above, count);
}
