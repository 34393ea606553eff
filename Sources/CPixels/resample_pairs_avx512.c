#include "CPixels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))

bool darkroom_has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

AVX512 static inline __m512i add_weighted(__m512i sum, __m512i values, __m512i weights) {
    return _mm512_add_epi32(sum, _mm512_madd_epi16(values, weights));
}

AVX512 static inline __m512i load_four(const int16_t *pairs) {
    return _mm512_zextsi256_si512(_mm256_loadu_si256((const void *)pairs));
}

/// Returns the sums over the lanes of four vectors, one per lane.
AVX512 static inline __m512i fold(__m512i sum0, __m512i sum1, __m512i sum2, __m512i sum3) {
    __m512i first = _mm512_add_epi32(_mm512_shuffle_i32x4(sum0, sum1, 0x44), _mm512_shuffle_i32x4(sum0, sum1, 0xEE));
    __m512i second = _mm512_add_epi32(_mm512_shuffle_i32x4(sum2, sum3, 0x44), _mm512_shuffle_i32x4(sum2, sum3, 0xEE));
    return _mm512_add_epi32(_mm512_shuffle_i32x4(first, second, 0x88), _mm512_shuffle_i32x4(first, second, 0xDD));
}

AVX512 void darkroom_resize_pairs_avx512(
    const int16_t *rows, size_t row_stride, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count,
    int shift, int16_t *out, size_t out_stride) {
    // Each lane holds two weights.
    const __m512i spread = _mm512_set_epi32(
        0x0F0E0D0C, 0x0F0E0D0C, 0x0F0E0D0C, 0x0F0E0D0C, 0x0B0A0908, 0x0B0A0908, 0x0B0A0908, 0x0B0A0908,
        0x07060504, 0x07060504, 0x07060504, 0x07060504, 0x03020100, 0x03020100, 0x03020100, 0x03020100);
    const __m256i pairing = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    const __m512i half = _mm512_set1_epi32(shift > 0 ? 1 << (shift - 1) : 0);
    const __m128i places = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < count; x++, weights += taps) {
        const int16_t *row0 = rows + 4 * (size_t)starts[x];
        const int16_t *row1 = row0 + row_stride, *row2 = row1 + row_stride, *row3 = row2 + row_stride;
        __m512i sum0 = _mm512_setzero_si512(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
        size_t tap = 0;
        for (; tap + 8 <= taps; tap += 8) {
            __m128i eight = _mm_loadu_si128((const void *)(weights + tap));
            __m512i weight = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(eight), spread);
            sum0 = add_weighted(sum0, _mm512_loadu_si512(row0 + 4 * tap), weight);
            sum1 = add_weighted(sum1, _mm512_loadu_si512(row1 + 4 * tap), weight);
            sum2 = add_weighted(sum2, _mm512_loadu_si512(row2 + 4 * tap), weight);
            sum3 = add_weighted(sum3, _mm512_loadu_si512(row3 + 4 * tap), weight);
        }
        if (tap < taps) {
            int64_t four;
            memcpy(&four, weights + tap, sizeof four);
            __m512i weight = _mm512_shuffle_epi8(_mm512_zextsi256_si512(_mm256_set1_epi64x(four)), spread);
            sum0 = add_weighted(sum0, load_four(row0 + 4 * tap), weight);
            sum1 = add_weighted(sum1, load_four(row1 + 4 * tap), weight);
            sum2 = add_weighted(sum2, load_four(row2 + 4 * tap), weight);
            sum3 = add_weighted(sum3, load_four(row3 + 4 * tap), weight);
        }
        __m512i sums = _mm512_sra_epi32(_mm512_add_epi32(fold(sum0, sum1, sum2, sum3), half), places);
        __m256i values = _mm256_shuffle_epi8(_mm512_cvtsepi32_epi16(sums), pairing);
        _mm_storeu_si128((void *)(out + 8 * x), _mm256_castsi256_si128(values));
        _mm_storeu_si128((void *)(out + out_stride + 8 * x), _mm256_extracti128_si256(values, 1));
    }
}

#endif
