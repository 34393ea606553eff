#include "CPixels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

// Results must be bit-identical with those in Swift, so multiplications and additions must not be fused.
#pragma STDC FP_CONTRACT OFF

#define AVX2 __attribute__((target("avx2")))

bool darkroom_has_avx2(void) { return __builtin_cpu_supports("avx2"); }

AVX2 static inline __m256i load(const void *at) { return _mm256_loadu_si256(at); }

/// Prefetches pixels earlier than the hardware prefetcher would. The address may be beyond the row: nothing is read.
static inline void prefetch(const uint8_t *pixels) { _mm_prefetch((const void *)((uintptr_t)pixels + 8192), _MM_HINT_T0); }

AVX2 static inline __m128i first(const uint8_t *pixels, size_t count) {
    __m128i places = _mm_setr_epi32(0, 1, 2, 3);
    return _mm_maskload_epi32((const void *)pixels, _mm_cmpgt_epi32(_mm_set1_epi32((int32_t)count), places));
}

/// Returns the pairs of four pixels, each repeated in both lanes.
AVX2 static inline __m256i pairs_of_four(__m256i pixels) {
    const __m256i order = _mm256_setr_epi8(
        0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1,
        8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    return _mm256_shuffle_epi8(pixels, order);
}

/// Returns the factors of those pairs: alpha for the colours, and 255 for alpha itself.
AVX2 static inline __m256i alphas_of_four(__m256i pixels) {
    const __m256i order = _mm256_setr_epi8(
        3, -1, 7, -1, 3, -1, 7, -1, 3, -1, 7, -1, -1, -1, -1, -1,
        11, -1, 15, -1, 11, -1, 15, -1, 11, -1, 15, -1, -1, -1, -1, -1);
    const __m256i own = _mm256_set_epi16(255, 255, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0);
    return _mm256_or_si256(_mm256_shuffle_epi8(pixels, order), own);
}

AVX2 static inline __m256i four(const uint8_t *pixels) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)pixels));
}

/// Loads the remaining `count` pixels, fewer than four, and fills up with transparent ones.
AVX2 static inline __m256i rest(const uint8_t *pixels, size_t count) {
    return _mm256_broadcastsi128_si256(first(pixels, count));
}

/// Returns the first or the second pair of the four pixels in each lane.
AVX2 static inline __m256i pairs(__m256i rows, bool second) {
    __m128i order = second ? _mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1)
                           : _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1);
    return _mm256_shuffle_epi8(rows, _mm256_broadcastsi128_si256(order));
}

AVX2 static inline __m256i premultiplied_pairs(__m256i rows, bool second) {
    __m128i order = second ? _mm_setr_epi8(11, -1, 15, -1, 11, -1, 15, -1, 11, -1, 15, -1, -1, -1, -1, -1)
                           : _mm_setr_epi8(3, -1, 7, -1, 3, -1, 7, -1, 3, -1, 7, -1, -1, -1, -1, -1);
    const __m256i own = _mm256_set_epi16(255, 255, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0);
    __m256i alphas = _mm256_or_si256(_mm256_shuffle_epi8(rows, _mm256_broadcastsi128_si256(order)), own);
    return _mm256_xor_si256(_mm256_mullo_epi16(pairs(rows, second), alphas), _mm256_set1_epi16((int16_t)0x8000));
}

/// Loads up to four pixels of two rows, one row in each lane.
AVX2 static inline __m256i two_rows(const uint8_t *pixels, size_t stride, size_t count) {
    if (count < 4)
        return _mm256_inserti128_si256(
            _mm256_castsi128_si256(first(pixels, count)), first(pixels + stride, count), 1);
    __m128i upper = _mm_loadu_si128((const void *)pixels), lower = _mm_loadu_si128((const void *)(pixels + stride));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1);
}

AVX2 __attribute__((always_inline)) static inline void make_blocks(
    const uint8_t *rows, size_t stride, size_t count, int16_t *blocks, bool premultiplies) {
    for (size_t x = 0; x < count; x += 4, blocks += 64) {
        __m256i upper = two_rows(rows + 4 * x, stride, count - x);
        __m256i lower = two_rows(rows + 2 * stride + 4 * x, stride, count - x);
        for (int second = 0; second < 2; second++) {
            __m256i first_rows = premultiplies ? premultiplied_pairs(upper, second) : pairs(upper, second);
            __m256i last_rows = premultiplies ? premultiplied_pairs(lower, second) : pairs(lower, second);
            _mm256_storeu_si256((void *)(blocks + 32 * second), first_rows);
            _mm256_storeu_si256((void *)(blocks + 32 * second + 16), last_rows);
        }
    }
}

AVX2 void darkroom_blocks_of_bytes_avx2(const uint8_t *rows, size_t stride, size_t count, int16_t *blocks) {
    make_blocks(rows, stride, count, blocks, false);
}

AVX2 void darkroom_premultiplied_blocks_of_bytes_avx2(
    const uint8_t *rows, size_t stride, size_t count, int16_t *blocks) {
    make_blocks(rows, stride, count, blocks, true);
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

/// Returns the sum of `count` pixels, at most 256.
AVX2 static inline __m128i sum(const uint8_t *pixels, size_t count) {
    __m256i fours = _mm256_setzero_si256();
    for (; count >= 4; count -= 4, pixels += 16)
        fours = _mm256_add_epi16(fours, _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)pixels)));
    if (count > 0) fours = _mm256_add_epi16(fours, _mm256_cvtepu8_epi16(first(pixels, count)));
    __m128i twos = _mm_add_epi16(_mm256_castsi256_si128(fours), _mm256_extracti128_si256(fours, 1));
    return _mm_cvtepu16_epi32(_mm_add_epi16(twos, _mm_srli_si128(twos, 8)));
}

AVX2 void darkroom_add_groups_avx2(const uint8_t *pixels, size_t count, size_t group, uint32_t *sums) {
    if (group == 2)
        for (; count >= 8; count -= 8, pixels += 32, sums += 16) {
            prefetch(pixels);
            add_twos(pixels, sums);
        }
    while (count > 0) {
        size_t present = group < count ? group : count;
        prefetch(pixels);
        __m128i total = _mm_add_epi32(_mm_loadu_si128((const void *)sums), sum(pixels, present));
        _mm_storeu_si128((void *)sums, total);
        count -= present, pixels += 4 * present, sums += 4;
    }
}

/// Returns the sum of the first two premultiplied pixels, and that of the other two.
AVX2 static inline __m256i premultiplied_twos(__m256i pixels) {
    return _mm256_madd_epi16(pairs_of_four(pixels), alphas_of_four(pixels));
}

/// Returns the sum of `count` premultiplied pixels.
AVX2 static inline __m128i premultiplied_sum(const uint8_t *pixels, size_t count) {
    __m256i twos = _mm256_setzero_si256();
    for (; count >= 4; count -= 4, pixels += 16) twos = _mm256_add_epi32(twos, premultiplied_twos(four(pixels)));
    if (count > 0) twos = _mm256_add_epi32(twos, premultiplied_twos(rest(pixels, count)));
    return _mm_add_epi32(_mm256_castsi256_si128(twos), _mm256_extracti128_si256(twos, 1));
}

AVX2 void darkroom_add_premultiplied_groups_avx2(
    const uint8_t *pixels, size_t count, size_t group, uint32_t *sums) {
    if (group == 2)
        for (; count >= 4; count -= 4, pixels += 16, sums += 8) {
            prefetch(pixels);
            _mm256_storeu_si256((void *)sums, _mm256_add_epi32(load(sums), premultiplied_twos(four(pixels))));
        }
    while (count > 0) {
        size_t present = group < count ? group : count;
        prefetch(pixels);
        __m128i total = _mm_add_epi32(_mm_loadu_si128((const void *)sums), premultiplied_sum(pixels, present));
        _mm_storeu_si128((void *)sums, total);
        count -= present, pixels += 4 * present, sums += 4;
    }
}

AVX2 static inline __m128i scaled(const uint32_t *sums, float scale) {
    __m128 product = _mm_mul_ps(_mm_cvtepi32_ps(_mm_loadu_si128((const void *)sums)), _mm_set1_ps(scale));
    return _mm_cvttps_epi32(_mm_add_ps(product, _mm_set1_ps(0.5f)));
}

AVX2 void darkroom_pairs_of_sums_avx2(
    const uint32_t *sums, size_t count, float scale, float last_scale, int offset, int16_t *pairs) {
    const __m128i offsets = _mm_set1_epi16((int16_t)offset);
    for (size_t x = 0; x < count; x += 2, sums += 8, pairs += 32) {
        __m128i even = scaled(sums, x + 1 == count ? last_scale : scale), odd = _mm_setzero_si128();
        if (x + 1 < count) odd = scaled(sums + 4, x + 2 == count ? last_scale : scale);
        __m128i both = _mm_or_si128(even, _mm_slli_epi32(odd, 16));
        _mm_storeu_si128((void *)pairs, _mm_sub_epi16(both, offsets));
    }
}

AVX2 void darkroom_resize_pairs_avx2(
    const int16_t *blocks, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count, int shift,
    int16_t *out, size_t out_stride) {
    const __m256i half = _mm256_set1_epi32(shift > 0 ? 1 << (shift - 1) : 0);
    const __m128i places = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < count; x++, weights += taps) {
        const int16_t *window = blocks + 16 * (size_t)starts[x];
        __m256i first = half, second = half;
        for (size_t tap = 0; tap < taps; tap += 2) {
            int32_t two;
            memcpy(&two, weights + tap, sizeof two);
            __m256i weight = _mm256_set1_epi32(two);
            first = _mm256_add_epi32(first, _mm256_madd_epi16(load(window + 16 * tap), weight));
            second = _mm256_add_epi32(second, _mm256_madd_epi16(load(window + 16 * tap + 16), weight));
        }
        __m256i values = _mm256_packs_epi32(_mm256_sra_epi32(first, places), _mm256_sra_epi32(second, places));
        __m128i even = _mm256_castsi256_si128(values), odd = _mm256_extracti128_si256(values, 1);
        _mm_storeu_si128((void *)(out + 8 * x), _mm_unpacklo_epi16(even, odd));
        _mm_storeu_si128((void *)(out + out_stride + 8 * x), _mm_unpackhi_epi16(even, odd));
    }
}

/// Adds the weighted sums of eight pixels to `sums`.
AVX2 static inline void add_weighted(
    const int16_t *ring, size_t stride, size_t slots, size_t slot, const int16_t *weights, size_t taps,
    __m256i sums[4]) {
    __m256i sum0 = sums[0], sum1 = sums[1], sum2 = sums[2], sum3 = sums[3];
    for (size_t tap = 0; tap < taps; tap += 2) {
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
    sums[0] = sum0, sums[1] = sum1, sums[2] = sum2, sums[3] = sum3;
}

AVX2 static inline __m256i bytes_of_eight(const __m256i values[4]) {
    __m256i lower = _mm256_packs_epi32(values[0], values[1]), upper = _mm256_packs_epi32(values[2], values[3]);
    return _mm256_permutevar8x32_epi32(
        _mm256_packus_epi16(lower, upper), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

AVX2 static inline void store(uint8_t *pixels, __m256i eight, size_t count) {
    if (count >= 8) {
        _mm256_storeu_si256((void *)pixels, eight);
    } else {
        uint8_t bytes[32];
        _mm256_storeu_si256((void *)bytes, eight);
        memcpy(pixels, bytes, 4 * count);
    }
}

AVX2 void darkroom_blend_pairs_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int shift, uint8_t *pixels) {
    const __m256i half = _mm256_set1_epi32(1 << (shift - 1)), opaque = _mm256_set1_epi32((int32_t)0xFF000000);
    const __m128i places = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < count; x += 8) {
        __m256i sums[4] = {half, half, half, half};
        add_weighted(ring + 8 * x, stride, slots, first, weights, taps, sums);
        for (int i = 0; i < 4; i++) sums[i] = _mm256_sra_epi32(sums[i], places);
        store(pixels + 4 * x, _mm256_or_si256(bytes_of_eight(sums), opaque), count - x);
    }
}

/// Converts two premultiplied pixels, which may be out of range, to straight alpha.
AVX2 static inline __m256i straight(__m256 products) {
    const __m256 zero = _mm256_setzero_ps(), most = _mm256_set1_ps(255), half = _mm256_set1_ps(0.5f);
    // Before it is clamped, because the colours have overshot by the same factor.
    __m256 alpha = _mm256_shuffle_ps(products, products, 0xFF);
    __m256 values = _mm256_blend_ps(_mm256_div_ps(products, alpha), alpha, 0x88);
    values = _mm256_min_ps(_mm256_max_ps(values, zero), most);
    __m256i rounded = _mm256_cvttps_epi32(_mm256_add_ps(values, half));
    __m256 shows = _mm256_cmp_ps(alpha, half, _CMP_GE_OQ);
    return _mm256_and_si256(rounded, _mm256_castps_si256(shows));
}

AVX2 void darkroom_blend_premultiplied_pairs_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int32_t offset, float scale, uint8_t *pixels) {
    const __m256i offsets = _mm256_set1_epi32(offset);
    const float own = scale * (1.0f / 255);
    const __m256 scales = _mm256_setr_ps(scale, scale, scale, own, scale, scale, scale, own);
    for (size_t x = 0; x < count; x += 8) {
        __m256i sums[4] = {offsets, offsets, offsets, offsets};
        add_weighted(ring + 8 * x, stride, slots, first, weights, taps, sums);
        for (int i = 0; i < 4; i++) sums[i] = straight(_mm256_mul_ps(_mm256_cvtepi32_ps(sums[i]), scales));
        store(pixels + 4 * x, bytes_of_eight(sums), count - x);
    }
}

#endif
