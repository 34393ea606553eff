#include "CChecksum.h"

#include "crc32c_table.h"

uint32_t darkroom_crc32c_portable(uint32_t checksum, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    uint32_t crc = ~checksum;
    while (count--) crc = table[(crc ^ *next++) & 0xFF] ^ (crc >> 8);
    return ~crc;
}

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define FAST __attribute__((target("sse4.2,pclmul")))

// The instruction has a latency of three cycles and a throughput of one per cycle, so three lanes of LANE bytes run in
// parallel.
enum { LANE = 512 };

// x to the power of 8 * LANE - 33 and 16 * LANE - 33, modulo the polynomial, with bits reversed.
static const uint32_t SKIP_ONE_LANE = 0xDD7E3B0C, SKIP_TWO_LANES = 0x170076FA;

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/// Advances `crc` past the number of zero bytes that `power` encodes.
FAST static inline uint64_t skip(uint64_t crc, uint32_t power) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)crc), _mm_cvtsi32_si128((int32_t)power), 0);
    return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

FAST static uint32_t crc32c_fast(uint32_t checksum, const uint8_t *next, size_t count) {
    uint64_t crc = (uint32_t)~checksum;
    for (; count >= 3 * LANE; count -= 3 * LANE, next += 3 * LANE) {
        uint64_t second = 0, third = 0;
        for (size_t i = 0; i < LANE; i += 8) {
            crc = _mm_crc32_u64(crc, load(next + i));
            second = _mm_crc32_u64(second, load(next + LANE + i));
            third = _mm_crc32_u64(third, load(next + 2 * LANE + i));
        }
        crc = skip(crc, SKIP_TWO_LANES) ^ skip(second, SKIP_ONE_LANE) ^ third;
    }
    for (; count >= 8; count -= 8, next += 8) crc = _mm_crc32_u64(crc, load(next));
    while (count--) crc = _mm_crc32_u8((uint32_t)crc, *next++);
    return ~(uint32_t)crc;
}

uint32_t darkroom_crc32c(uint32_t checksum, const void *bytes, size_t count) {
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul")) return crc32c_fast(checksum, bytes, count);
    return darkroom_crc32c_portable(checksum, bytes, count);
}

#else

uint32_t darkroom_crc32c(uint32_t checksum, const void *bytes, size_t count) {
    return darkroom_crc32c_portable(checksum, bytes, count);
}

#endif
