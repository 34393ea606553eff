#include "CPNG.h"

#include <string.h>

#if defined(__x86_64__)
#include <tmmintrin.h>

__attribute__((target("ssse3"))) static size_t add_alpha(uint8_t *rgba, const uint8_t *rgb, size_t count) {
    const __m128i order = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m128i alpha = _mm_set1_epi32((int)0xFF000000);
    size_t x = 0;
    // Reads five bytes beyond the four pixels it converts.
    for (; x + 6 <= count; x += 4) {
        __m128i pixels = _mm_loadu_si128((const __m128i *)(rgb + 3 * x));
        _mm_storeu_si128((__m128i *)(rgba + 4 * x), _mm_or_si128(_mm_shuffle_epi8(pixels, order), alpha));
    }
    return x;
}
#endif

void cpng_add_alpha(uint8_t *rgba, const uint8_t *rgb, size_t count) {
    size_t x = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("ssse3")) x = add_alpha(rgba, rgb, count);
#endif
    for (; x < count; x++) {
        memcpy(rgba + 4 * x, rgb + 3 * x, 3);
        rgba[4 * x + 3] = 255;
    }
}
