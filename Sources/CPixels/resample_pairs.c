#include "CPixels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

bool darkroom_has_avx2(void) { return __builtin_cpu_supports("avx2"); }

AVX2 static inline __m256i load(const void *at) { return _mm256_loadu_si256(at); }

AVX2 static inline __m128i load_one(const uint8_t *pixel) {
    int32_t word;
    memcpy(&word, pixel, sizeof word);
    return _mm_cvtepu8_epi32(_mm_cvtsi32_si128(word));
}

AVX2 static inline __m256i pairs_of_four(__m128i pixels) {
    const __m256i order = _mm256_setr_epi8(
        0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1,
        8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(pixels), order);
}

AVX2 void darkroom_pairs_of_bytes_avx2(const uint8_t *pixels, size_t count, int16_t *pairs) {
    size_t x = 0;
    for (; x + 4 <= count; x += 4)
        _mm256_storeu_si256((void *)(pairs + 4 * x), pairs_of_four(_mm_loadu_si128((const void *)(pixels + 4 * x))));
    if (x == count) return;
    uint8_t rest[16] = {0};
    memcpy(rest, pixels + 4 * x, 4 * (count - x));
    _mm256_storeu_si256((void *)(pairs + 4 * x), pairs_of_four(_mm_loadu_si128((const void *)rest)));
}

/// Adds four groups of two pixels each.
AVX2 static inline void add_twos(const uint8_t *pixels, uint32_t *sums) {
    const __m256i order = _mm256_setr_epi8(
        0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    __m256i twos = _mm256_maddubs_epi16(_mm256_shuffle_epi8(load(pixels), order), _mm256_set1_epi8(1));
    __m256i first = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(twos));
    __m256i second = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(twos, 1));
    _mm256_storeu_si256((void *)sums, _mm256_add_epi32(load(sums), first));
    _mm256_storeu_si256((void *)(sums + 8), _mm256_add_epi32(load(sums + 8), second));
}

/// The sum of `count` pixels, at most 256.
AVX2 static inline __m128i sum(const uint8_t *pixels, size_t count) {
    __m256i fours = _mm256_setzero_si256();
    for (; count >= 4; count -= 4, pixels += 16)
        fours = _mm256_add_epi16(fours, _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)pixels)));
    __m128i twos = _mm_add_epi16(_mm256_castsi256_si128(fours), _mm256_extracti128_si256(fours, 1));
    __m128i total = _mm_cvtepu16_epi32(_mm_add_epi16(twos, _mm_srli_si128(twos, 8)));
    for (; count > 0; count--, pixels += 4) total = _mm_add_epi32(total, load_one(pixels));
    return total;
}

AVX2 void darkroom_add_groups_avx2(const uint8_t *pixels, size_t count, size_t group, uint32_t *sums) {
    size_t x = 0;
    if (group == 2)
        for (; x + 8 <= count; x += 8, sums += 16) add_twos(pixels + 4 * x, sums);
    for (; x + group <= count; x += group, sums += 4) {
        __m128i total = _mm_add_epi32(_mm_loadu_si128((const void *)sums), sum(pixels + 4 * x, group));
        _mm_storeu_si128((void *)sums, total);
    }
    if (x == count) return;
    __m128i total = _mm_add_epi32(_mm_loadu_si128((const void *)sums), sum(pixels + 4 * x, count - x));
    _mm_storeu_si128((void *)sums, total);
}

AVX2 static inline __m128i scaled(const uint32_t *sums, float scale) {
    __m128 product = _mm_mul_ps(_mm_cvtepi32_ps(_mm_loadu_si128((const void *)sums)), _mm_set1_ps(scale));
    return _mm_cvttps_epi32(_mm_add_ps(product, _mm_set1_ps(0.5f)));
}

AVX2 void darkroom_pairs_of_sums_avx2(
    const uint32_t *sums, size_t count, float scale, float last_scale, int16_t *pairs) {
    for (size_t x = 0; x < count; x += 2, sums += 8, pairs += 8) {
        __m128i even = scaled(sums, x + 1 == count ? last_scale : scale), odd = _mm_setzero_si128();
        if (x + 1 < count) odd = scaled(sums + 4, x + 2 == count ? last_scale : scale);
        _mm_storeu_si128((void *)pairs, _mm_or_si128(even, _mm_slli_epi32(odd, 16)));
    }
}

AVX2 static inline __m256i fold(__m256i first, __m256i second) {
    return _mm256_add_epi32(
        _mm256_permute2x128_si256(first, second, 0x20), _mm256_permute2x128_si256(first, second, 0x31));
}

AVX2 void darkroom_resize_pairs_avx2(
    const int16_t *rows, size_t row_stride, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count,
    int shift, int16_t *out, size_t out_stride) {
    // Two weights fill the lower lane, the next two the upper one.
    const __m256i spread = _mm256_setr_epi8(
        0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7);
    const __m256i half = _mm256_set1_epi32(shift > 0 ? 1 << (shift - 1) : 0);
    const __m128i places = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < count; x++, weights += taps) {
        const int16_t *row0 = rows + 4 * (size_t)starts[x];
        const int16_t *row1 = row0 + row_stride, *row2 = row1 + row_stride, *row3 = row2 + row_stride;
        __m256i sum0 = _mm256_setzero_si256(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
        for (size_t tap = 0; tap < taps; tap += 4) {
            int64_t four;
            memcpy(&four, weights + tap, sizeof four);
            __m256i weight = _mm256_shuffle_epi8(_mm256_set1_epi64x(four), spread);
            sum0 = _mm256_add_epi32(sum0, _mm256_madd_epi16(load(row0 + 4 * tap), weight));
            sum1 = _mm256_add_epi32(sum1, _mm256_madd_epi16(load(row1 + 4 * tap), weight));
            sum2 = _mm256_add_epi32(sum2, _mm256_madd_epi16(load(row2 + 4 * tap), weight));
            sum3 = _mm256_add_epi32(sum3, _mm256_madd_epi16(load(row3 + 4 * tap), weight));
        }
        __m256i first = _mm256_sra_epi32(_mm256_add_epi32(fold(sum0, sum1), half), places);
        __m256i second = _mm256_sra_epi32(_mm256_add_epi32(fold(sum2, sum3), half), places);
        __m256i values = _mm256_packs_epi32(first, second);
        __m128i even = _mm256_castsi256_si128(values), odd = _mm256_extracti128_si256(values, 1);
        _mm_storeu_si128((void *)(out + 8 * x), _mm_unpacklo_epi16(even, odd));
        _mm_storeu_si128((void *)(out + out_stride + 8 * x), _mm_unpackhi_epi16(even, odd));
    }
}

/// Eight pixels of weighted sums.
AVX2 static inline __m256i blended(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, int shift) {
    const __m256i half = _mm256_set1_epi32(shift > 0 ? 1 << (shift - 1) : 0);
    const __m128i places = _mm_cvtsi32_si128(shift);
    __m256i sum0 = half, sum1 = half, sum2 = half, sum3 = half;
    for (size_t tap = 0, slot = first; tap < taps; tap += 2) {
        const int16_t *row = ring + slot * stride;
        int32_t two;
        memcpy(&two, weights + tap, sizeof two);
        __m256i weight = _mm256_set1_epi32(two);
        sum0 = _mm256_add_epi32(sum0, _mm256_madd_epi16(load(row), weight));
        sum1 = _mm256_add_epi32(sum1, _mm256_madd_epi16(load(row + 16), weight));
        sum2 = _mm256_add_epi32(sum2, _mm256_madd_epi16(load(row + 32), weight));
        sum3 = _mm256_add_epi32(sum3, _mm256_madd_epi16(load(row + 48), weight));
        if (++slot == slots) slot = 0;
    }
    __m256i lower = _mm256_packs_epi32(_mm256_sra_epi32(sum0, places), _mm256_sra_epi32(sum1, places));
    __m256i upper = _mm256_packs_epi32(_mm256_sra_epi32(sum2, places), _mm256_sra_epi32(sum3, places));
    __m256i pixels = _mm256_permutevar8x32_epi32(
        _mm256_packus_epi16(lower, upper), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    return _mm256_or_si256(pixels, _mm256_set1_epi32((int32_t)0xFF000000));
}

AVX2 void darkroom_blend_pairs_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int shift, uint8_t *pixels) {
    size_t x = 0;
    for (; x + 8 <= count; x += 8)
        _mm256_storeu_si256(
            (void *)(pixels + 4 * x), blended(ring + 8 * x, stride, slots, first, weights, taps, shift));
    if (x == count) return;
    uint8_t rest[32];
    _mm256_storeu_si256((void *)rest, blended(ring + 8 * x, stride, slots, first, weights, taps, shift));
    memcpy(pixels + 4 * x, rest, 4 * (count - x));
}

#endif
