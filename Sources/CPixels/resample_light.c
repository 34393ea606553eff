#include "CPixels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

/// Writes the pair of two pixels; the second one may be absent.
static inline void write_pair(
    const uint8_t *even, const uint8_t *odd, const uint32_t *light, uint32_t opaque, int16_t *pair) {
    uint32_t values[4];
    for (int channel = 0; channel < 3; channel++)
        values[channel] = light[even[channel]] | (odd ? light[odd[channel]] << 16 : 0);
    values[3] = opaque | (odd ? opaque << 16 : 0);
    memcpy(pair, values, sizeof values);
}

void darkroom_blocks_of_light(
    const uint8_t *rows, size_t stride, size_t count, const uint32_t *light, int16_t *blocks) {
    const uint32_t opaque = light[255];
    for (size_t row = 0; row < 4; row++, rows += stride, blocks += 8) {
        size_t x = 0;
        for (; x + 1 < count; x += 2)
            write_pair(rows + 4 * x, rows + 4 * x + 4, light, opaque, blocks + 16 * x);
        if (x < count) write_pair(rows + 4 * x, NULL, light, opaque, blocks + 16 * x);
    }
}

void darkroom_add_light_groups(
    const uint8_t *pixels, size_t count, size_t group, const uint32_t *light, uint32_t *sums) {
    while (count > 0) {
        size_t present = group < count ? group : count;
        uint32_t red = 0, green = 0, blue = 0;
        for (const uint8_t *end = pixels + 4 * present; pixels < end; pixels += 4) {
            red += light[pixels[0]];
            green += light[pixels[1]];
            blue += light[pixels[2]];
        }
        sums[0] += red, sums[1] += green, sums[2] += blue, sums[3] += (uint32_t)present * light[255];
        count -= present, sums += 4;
    }
}

AVX2 static inline __m256i load(const void *at) { return _mm256_loadu_si256(at); }

AVX2 void darkroom_blend_light_avx2(
    const int16_t *ring, size_t stride, size_t slots, size_t first, const int16_t *weights, size_t taps, size_t count,
    int shift, const uint8_t *values, int32_t most, uint8_t *pixels) {
    const __m256i half = _mm256_set1_epi32(1 << (shift - 1)), black = _mm256_setzero_si256();
    const __m256i white = _mm256_set1_epi32(most);
    const __m128i places = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < count; x += 8) {
        __m256i sums[4] = {half, half, half, half};
        size_t slot = first;
        for (size_t tap = 0; tap < taps; tap += 2) {
            const int16_t *row = ring + slot * stride + 8 * x;
            int32_t two;
            memcpy(&two, weights + tap, sizeof two);
            __m256i weight = _mm256_set1_epi32(two);
            for (int i = 0; i < 4; i++)
                sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(load(row + 16 * i), weight));
            if (++slot == slots) slot = 0;
        }
        int32_t light[32];
        for (int i = 0; i < 4; i++) {
            __m256i shifted = _mm256_max_epi32(_mm256_sra_epi32(sums[i], places), black);
            _mm256_storeu_si256((void *)(light + 8 * i), _mm256_min_epi32(shifted, white));
        }
        size_t present = count - x < 8 ? count - x : 8;
        for (size_t i = 0; i < present; i++) {
            uint8_t *pixel = pixels + 4 * (x + i);
            for (int channel = 0; channel < 3; channel++) pixel[channel] = values[light[4 * i + channel]];
            pixel[3] = 255;
        }
    }
}

#endif
