#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 };

/// Passes `bytes` to `add` in blocks, and behind them 0x80, zeros, and the number of bits in the last eight bytes, from
/// the byte at `first_shift` on in steps of `step` bits.
static inline void add_all(
    uint32_t *state, const void *bytes, size_t count, void (*add)(uint32_t *, const uint8_t *), int first_shift, int step
) {
    const uint8_t *next = bytes;
    size_t left = count;
    for (; left >= BLOCK; left -= BLOCK, next += BLOCK) add(state, next);
    uint8_t last[2 * BLOCK] = {0};
    if (left) memcpy(last, next, left);
    last[left] = 0x80;
    size_t size = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    for (int i = 0; i < 8; i++) last[size - 8 + i] = (uint8_t)((uint64_t)count * 8 >> (first_shift + i * step));
    for (size_t start = 0; start < size; start += BLOCK) add(state, last + start);
}
