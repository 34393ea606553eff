#pragma once

#include <stdint.h>
#include <string.h>

/// The next bits of a segment.
struct bits {
    /// The bits, the first one at the top: at least `63 - spent % 64` of them are valid, those after are valid or 0.
    uint64_t window;
    /// The byte that follows the valid bits.
    const uint8_t *next;
    /// A number below 64 in the lowest byte. The others are free for a second counter.
    uint64_t spent;
};

enum { refilled_count = 56, spent_mask = 63 };

/// Returns the number of bits known to be valid.
static inline uint32_t bits_count(const struct bits *bits) { return 63 - (uint32_t)(bits->spent & spent_mask); }

static inline uint64_t bits_load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return __builtin_bswap64(value);
}

/// Starts with the bits from `next` on.
static inline void bits_start(struct bits *bits, const uint8_t *next) {
    *bits = (struct bits){bits_load(next), next + refilled_count / 8, 63 - refilled_count};
}

/// Makes at least `refilled_count` bits valid, without a branch. Reads the 8 bytes from `next` on.
static inline void bits_refill(struct bits *bits) {
    bits->window |= bits_load(bits->next) >> bits_count(bits);
    bits->next += (bits->spent & spent_mask) / 8;
    bits->spent &= ~(uint64_t)(spent_mask & ~7);
}

/// Makes at least 49 bits valid after `spent` was reduced, which leaves `window` outdated. Reads up to 8 bytes before
/// `next`.
static inline void bits_reload(struct bits *bits) {
    uint32_t count = bits_count(bits), done = (0 - count) & 7;
    bits->next -= (count + 7) / 8;
    bits->window = bits_load(bits->next) << done;
    bits->next += refilled_count / 8;
    bits->spent = (bits->spent & ~(uint64_t)spent_mask) + (63 - refilled_count) + done;
}

/// Drops `count` valid bits, fewer than 64, and adds `spent`, whose lowest byte is `count`.
static inline void bits_drop(struct bits *bits, uint32_t count, uint32_t spent) {
    bits->window <<= count & 63;
    bits->spent += spent;
}

/// Returns the first `count` bits, at most 32.
static inline uint32_t bits_first(const struct bits *bits, uint32_t count) {
    return (uint32_t)(bits->window >> 1 >> (63 - count));
}
