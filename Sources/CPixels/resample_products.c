#include "CPixels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

// Sums must round as those in Swift do, so no multiplication and addition may become one.
#pragma STDC FP_CONTRACT OFF

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256 product_of_two(__m256i values) {
    // Alpha itself is multiplied by one.
    __m256i alpha = _mm256_blend_epi32(_mm256_shuffle_epi32(values, 0xFF), _mm256_set1_epi32(1), 0x88);
    return _mm256_mul_ps(_mm256_cvtepi32_ps(values), _mm256_cvtepi32_ps(alpha));
}

AVX2 void darkroom_products_of_bytes_avx2(const uint8_t *pixels, size_t count, float *products) {
    size_t x = 0;
    for (; x + 2 <= count; x += 2) {
        __m256i values = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(pixels + 4 * x)));
        _mm256_storeu_ps(products + 4 * x, product_of_two(values));
    }
    if (x == count) return;
    int32_t word;
    memcpy(&word, pixels + 4 * x, sizeof word);
    __m256i values = _mm256_cvtepu8_epi32(_mm_cvtsi32_si128(word));
    _mm_storeu_ps(products + 4 * x, _mm256_castps256_ps128(product_of_two(values)));
}

AVX2 void darkroom_add_product_groups_avx2(
    const float *products, size_t count, size_t group, size_t row_count, float *sums) {
    for (size_t x = 0; x < count; sums += 4) {
        size_t present = group < count - x ? group : count - x;
        const __m128 scale = _mm_set1_ps(1.0f / (float)(present * row_count));
        __m128 total = _mm_setzero_ps();
        for (size_t end = x + present; x < end; x++) total = _mm_add_ps(total, _mm_loadu_ps(products + 4 * x));
        _mm_storeu_ps(sums, _mm_add_ps(_mm_loadu_ps(sums), _mm_mul_ps(total, scale)));
    }
}

AVX2 static inline __m128 fold(__m256 sums) {
    return _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
}

AVX2 static inline __m256 weighted(const float *products, __m256 weight) {
    return _mm256_mul_ps(_mm256_loadu_ps(products), weight);
}

AVX2 void darkroom_resize_products_avx2(
    const float *rows, size_t row_stride, const uint32_t *starts, const float *weights, size_t taps, size_t count,
    float *out, size_t out_stride) {
    const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    for (size_t x = 0; x < count; x++, weights += taps, out += 4) {
        const float *row0 = rows + 4 * (size_t)starts[x];
        const float *row1 = row0 + row_stride, *row2 = row1 + row_stride, *row3 = row2 + row_stride;
        __m256 sum0 = _mm256_setzero_ps(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
        for (size_t tap = 0; tap < taps; tap += 2) {
            double two;
            memcpy(&two, weights + tap, sizeof two);
            __m256 weight = _mm256_permutevar8x32_ps(_mm256_castpd_ps(_mm256_set1_pd(two)), spread);
            sum0 = _mm256_add_ps(sum0, weighted(row0 + 4 * tap, weight));
            sum1 = _mm256_add_ps(sum1, weighted(row1 + 4 * tap, weight));
            sum2 = _mm256_add_ps(sum2, weighted(row2 + 4 * tap, weight));
            sum3 = _mm256_add_ps(sum3, weighted(row3 + 4 * tap, weight));
        }
        _mm_storeu_ps(out, fold(sum0));
        _mm_storeu_ps(out + out_stride, fold(sum1));
        _mm_storeu_ps(out + 2 * out_stride, fold(sum2));
        _mm_storeu_ps(out + 3 * out_stride, fold(sum3));
    }
}

AVX2 void darkroom_blend_products_avx2(
    const float *ring, size_t stride, size_t slots, size_t first, const float *weights, size_t taps, size_t count,
    float *products) {
    for (size_t x = 0; x < count; x += 8) {
        __m256 sum0 = _mm256_setzero_ps(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
        for (size_t tap = 0, slot = first; tap < taps; tap++) {
            const float *row = ring + slot * stride + 4 * x;
            __m256 weight = _mm256_set1_ps(weights[tap]);
            sum0 = _mm256_add_ps(sum0, weighted(row, weight));
            sum1 = _mm256_add_ps(sum1, weighted(row + 8, weight));
            sum2 = _mm256_add_ps(sum2, weighted(row + 16, weight));
            sum3 = _mm256_add_ps(sum3, weighted(row + 24, weight));
            if (++slot == slots) slot = 0;
        }
        _mm256_storeu_ps(products + 4 * x, sum0);
        _mm256_storeu_ps(products + 4 * x + 8, sum1);
        _mm256_storeu_ps(products + 4 * x + 16, sum2);
        _mm256_storeu_ps(products + 4 * x + 24, sum3);
    }
}

AVX2 static inline __m256i straight(__m256 products) {
    const __m256 zero = _mm256_setzero_ps(), most = _mm256_set1_ps(255), half = _mm256_set1_ps(0.5f);
    __m256 alpha = _mm256_min_ps(_mm256_max_ps(_mm256_shuffle_ps(products, products, 0xFF), zero), most);
    __m256 values = _mm256_blend_ps(_mm256_div_ps(products, alpha), alpha, 0x88);
    values = _mm256_min_ps(_mm256_max_ps(values, zero), most);
    __m256i rounded = _mm256_cvttps_epi32(_mm256_add_ps(values, half));
    __m256 shows = _mm256_cmp_ps(alpha, half, _CMP_GE_OQ);
    return _mm256_and_si256(rounded, _mm256_castps_si256(shows));
}

AVX2 static inline __m128i straight_two(const float *products) {
    __m256i values = straight(_mm256_loadu_ps(products));
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
    return _mm_packus_epi16(words, words);
}

AVX2 void darkroom_bytes_of_products_avx2(const float *products, size_t count, uint8_t *pixels) {
    size_t x = 0;
    for (; x + 2 <= count; x += 2) _mm_storel_epi64((void *)(pixels + 4 * x), straight_two(products + 4 * x));
    if (x == count) return;
    float rest[8] = {0};
    memcpy(rest, products + 4 * x, 4 * sizeof(float));
    int32_t word = _mm_cvtsi128_si32(straight_two(rest));
    memcpy(pixels + 4 * x, &word, sizeof word);
}

#endif
