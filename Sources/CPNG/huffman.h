#pragma once

#include <stdint.h>

// The number of bits looked up at once. Longer codes continue in a subtable.
#define LITERAL_BITS 12
#define DISTANCE_BITS 8
#define LENGTH_BITS 7

// Each subtable holds at least two codes, and at most as many entries as a code of 15 bits needs.
#define LITERAL_ENTRY_COUNT ((1 << LITERAL_BITS) + 288 / 2 * (1 << (15 - LITERAL_BITS)))
#define DISTANCE_ENTRY_COUNT ((1 << DISTANCE_BITS) + 32 / 2 * (1 << (15 - DISTANCE_BITS)))
#define LENGTH_ENTRY_COUNT (1 << LENGTH_BITS)

// An entry. The lowest byte is the number of bits it consumes, including extra bits; above are the flags; the upper
// half is the value: one or two literals, the base length or distance, or the start of a subtable.
#define ENTRY_BITS(entry) ((entry) & 255)
#define ENTRY_LITERAL_COUNT(entry) ((entry) >> 8 & 3)
#define ENTRY_FIRST_LITERAL_BITS(entry) ((entry) >> 10 & 15)
#define ENTRY_CODE_BITS(entry) ((entry) >> 8 & 15)
#define ENTRY_TABLE_BITS(entry) ((entry) >> 8 & 15)
enum {
    // Not a literal.
    ENTRY_SPECIAL = 0x8000,
    // Neither a length nor a distance: a subtable, the end of the block, or an invalid code, which consumes a bit.
    ENTRY_EXCEPTION = 0x4000,
    ENTRY_TABLE = 0x2000,
    ENTRY_END = 0x1000,
};

// Each function fills `table` for up to 288 literals or 32 distances with codes of the given lengths, up to 15. It
// returns 0 if the lengths are invalid.
int fill_literals(uint32_t *table, const uint8_t *lengths, unsigned count);
int fill_distances(uint32_t *table, const uint8_t *lengths, unsigned count);

// Fills the table for the code length code, whose 19 lengths are up to 7 and whose values are the symbols. Like zlib, it
// accepts a code without any symbol, of which every bit means 0.
int fill_lengths(uint32_t *table, const uint8_t *lengths);
