#include "CPixels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

bool darkroom_has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

/// Returns the first or the second pair of the four pixels in each lane.
AVX512 static inline __m512i pairs(__m512i rows, bool second) {
    __m128i order = second ? _mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1)
                           : _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1);
    return _mm512_shuffle_epi8(rows, _mm512_broadcast_i32x4(order));
}

AVX512 static inline __m512i premultiplied_pairs(__m512i rows, bool second) {
    __m128i order = second ? _mm_setr_epi8(11, -1, 15, -1, 11, -1, 15, -1, 11, -1, 15, -1, -1, -1, -1, -1)
                           : _mm_setr_epi8(3, -1, 7, -1, 3, -1, 7, -1, 3, -1, 7, -1, -1, -1, -1, -1);
    const __m512i own = _mm512_broadcast_i32x4(_mm_set_epi16(255, 255, 0, 0, 0, 0, 0, 0));
    __m512i alphas = _mm512_or_si512(_mm512_shuffle_epi8(rows, _mm512_broadcast_i32x4(order)), own);
    return _mm512_xor_si512(_mm512_mullo_epi16(pairs(rows, second), alphas), _mm512_set1_epi16((int16_t)0x8000));
}

/// Loads up to four pixels of each row, one row in each lane.
AVX512 static inline __m512i four_rows(const uint8_t *pixels, size_t stride, size_t count) {
    __mmask8 mask = (__mmask8)(count < 4 ? (1 << count) - 1 : 15);
    __m512i rows = _mm512_castsi128_si512(_mm_maskz_loadu_epi32(mask, pixels));
    rows = _mm512_inserti32x4(rows, _mm_maskz_loadu_epi32(mask, pixels + stride), 1);
    rows = _mm512_inserti32x4(rows, _mm_maskz_loadu_epi32(mask, pixels + 2 * stride), 2);
    return _mm512_inserti32x4(rows, _mm_maskz_loadu_epi32(mask, pixels + 3 * stride), 3);
}

/// Prefetches the same columns of the next four rows, one cache line in four calls. The address may be beyond the image:
/// nothing is read.
static inline void prefetch_next(const uint8_t *rows, size_t stride, size_t x) {
    if (x % 16 != 0) return;
    for (size_t row = 4; row < 8; row++)
        _mm_prefetch((const void *)((uintptr_t)rows + row * stride + 4 * x), _MM_HINT_T1);
}

AVX512 __attribute__((always_inline)) static inline void make_blocks(
    const uint8_t *rows, size_t stride, size_t count, int16_t *blocks, bool premultiplies) {
    for (size_t x = 0; x < count; x += 4, blocks += 64) {
        prefetch_next(rows, stride, x);
        __m512i pixels = four_rows(rows + 4 * x, stride, count - x);
        _mm512_storeu_si512(blocks, premultiplies ? premultiplied_pairs(pixels, false) : pairs(pixels, false));
        _mm512_storeu_si512(blocks + 32, premultiplies ? premultiplied_pairs(pixels, true) : pairs(pixels, true));
    }
}

AVX512 void darkroom_blocks_of_bytes_avx512(const uint8_t *rows, size_t stride, size_t count, int16_t *blocks) {
    make_blocks(rows, stride, count, blocks, false);
}

AVX512 void darkroom_premultiplied_blocks_of_bytes_avx512(
    const uint8_t *rows, size_t stride, size_t count, int16_t *blocks) {
    make_blocks(rows, stride, count, blocks, true);
}

/// Adds the values of four rows, each pair times the same two weights.
AVX512 static inline __m512i add_weighted(__m512i sum, const int16_t *block, const int16_t *weights) {
    int32_t two;
    memcpy(&two, weights, sizeof two);
    return _mm512_dpwssd_epi32(sum, _mm512_loadu_si512(block), _mm512_set1_epi32(two));
}

AVX512 void darkroom_resize_pairs_avx512(
    const int16_t *blocks, const uint32_t *starts, const int16_t *weights, size_t taps, size_t count, int shift,
    int16_t *out, size_t out_stride) {
    const __m256i pairing = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    const __m512i half = _mm512_set1_epi32(shift > 0 ? 1 << (shift - 1) : 0);
    const __m128i places = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < count; x++, weights += taps) {
        const int16_t *window = blocks + 16 * (size_t)starts[x];
        // Two sums, because each addition has to wait for the one before.
        __m512i even = half, odd = _mm512_setzero_si512();
        for (size_t tap = 0; tap < taps; tap += 4) {
            even = add_weighted(even, window + 16 * tap, weights + tap);
            odd = add_weighted(odd, window + 16 * tap + 32, weights + tap + 2);
        }
        __m512i sums = _mm512_sra_epi32(_mm512_add_epi32(even, odd), places);
        __m256i values = _mm256_shuffle_epi8(_mm512_cvtsepi32_epi16(sums), pairing);
        _mm_storeu_si128((void *)(out + 8 * x), _mm256_castsi256_si128(values));
        _mm_storeu_si128((void *)(out + out_stride + 8 * x), _mm256_extracti128_si256(values, 1));
    }
}

#endif
