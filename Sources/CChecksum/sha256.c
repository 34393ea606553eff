#include "CChecksum.h"

#include "blocks.h"

static inline uint32_t rotate_right(uint32_t value, int count) { return value >> count | value << (32 - count); }

static inline uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[3] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[0] << 24;
}

static const uint32_t ROOTS[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1,
    0x923F82A4, 0xAB1C5ED5, 0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3,
    0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174, 0xE49B69C1, 0xEFBE4786,
    0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147,
    0x06CA6351, 0x14292967, 0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13,
    0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85, 0xA2BFE8A1, 0xA81A664B,
    0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A,
    0x5B9CCA4F, 0x682E6FF3, 0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208,
    0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

static void sha256_add_block(uint32_t *state, const uint8_t *block) {
    uint32_t words[64], s[8];
    for (int i = 0; i < 16; i++) words[i] = big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (rotate_right(early, 7) ^ rotate_right(early, 18) ^ early >> 3) + words[i - 7]
            + (rotate_right(late, 17) ^ rotate_right(late, 19) ^ late >> 10);
    }
    memcpy(s, state, sizeof s);
#pragma clang loop unroll_count(8)
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7] + (rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25))
            + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + ROOTS[i] + words[i];
        uint32_t second = (rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22))
            + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
        s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + first;
        s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

static void sha256_add(uint32_t *state, const uint8_t *blocks, size_t count) {
    for (; count; count--, blocks += BLOCK) sha256_add_block(state, blocks);
}

#if defined(__x86_64__)

#include <immintrin.h>

// Four rounds at a time; the instructions hold A, B, E, F in one register and C, D, G, H in the other. Each pair of
// rounds waits for the one before, so only work for other rounds may be between them, and none between blocks.
__attribute__((target("sha,sse4.1"))) static void sha256_add_fast(
    uint32_t *state, const uint8_t *blocks, size_t count
) {
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; count; count--, blocks += BLOCK) {
        const __m128i old_abef = abef, old_cdgh = cdgh;
        __m128i words[16];
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            if (i < 4) {
                words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), swap);
            } else {
                __m128i early = _mm_sha256msg1_epu32(words[i - 4], words[i - 3]);
                words[i] = _mm_sha256msg2_epu32(
                    _mm_add_epi32(early, _mm_alignr_epi8(words[i - 1], words[i - 2], 4)), words[i - 1]);
            }
            __m128i sum = _mm_add_epi32(words[i], _mm_loadu_si128((const __m128i *)(ROOTS + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, old_abef), cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool darkroom_has_sha256(void) {
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}

#else

#define sha256_add_fast sha256_add
bool darkroom_has_sha256(void) { return false; }

#endif

static void sha256(const void *bytes, size_t count, uint8_t *digest, add_blocks *add) {
    uint32_t state[8] = {
        0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C,
        0x1F83D9AB, 0x5BE0CD19,
    };
    add_all(state, bytes, count, add, 56, -8);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void darkroom_sha256(const void *bytes, size_t count, uint8_t *digest) {
    sha256(bytes, count, digest, darkroom_has_sha256() ? sha256_add_fast : sha256_add);
}

void darkroom_sha256_portable(const void *bytes, size_t count, uint8_t *digest) {
    sha256(bytes, count, digest, sha256_add);
}
