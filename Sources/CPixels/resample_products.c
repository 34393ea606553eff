#include "CPixels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

// Results must be bit-identical with those in Swift, so multiplications and additions must not be fused.
#pragma STDC FP_CONTRACT OFF

#define AVX2 __attribute__((target("avx2")))

AVX2 void darkroom_add_product_groups_avx2(
    const float *products, size_t count, size_t group, size_t row_count, float *sums) {
    const __m128 whole = _mm_set1_ps(1.0f / (float)(group * row_count));
    for (size_t x = 0; x < count; sums += 4) {
        size_t present = group < count - x ? group : count - x;
        __m128 scale = present == group ? whole : _mm_set1_ps(1.0f / (float)(present * row_count));
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

#endif
