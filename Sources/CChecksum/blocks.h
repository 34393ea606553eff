#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 };

/// Adds `count` blocks to a state.
typedef void add_blocks(uint32_t *state, const uint8_t *blocks, size_t count);

/// Passes `bytes` to `add` in blocks, and behind them 0x80, zeros, and the number of bits in the last eight bytes, from
/// the byte at `first_shift` on in steps of `step` bits.
static inline void add_all(
    uint32_t *state, const void *bytes, size_t count, add_blocks *add, int first_shift, int step
) {
    size_t left = count % BLOCK;
    if (count >= BLOCK) add(state, bytes, count / BLOCK);
    uint8_t last[2 * BLOCK] = {0};
    if (left) memcpy(last, (const uint8_t *)bytes + (count - left), left);
    last[left] = 0x80;
    size_t size = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    for (int i = 0; i < 8; i++) last[size - 8 + i] = (uint8_t)((uint64_t)count * 8 >> (first_shift + i * step));
    add(state, last, size / BLOCK);
}
