#pragma once

#include <stdint.h>

// How many bits of the stream are looked up at once; longer codes go on in a table behind.
#define LITERAL_BITS 12
#define DISTANCE_BITS 8
#define LENGTH_BITS 7

// Every table behind the first has two codes at least, and as many entries as the longest code of 15 bits asks for.
#define LITERAL_ENTRY_COUNT ((1 << LITERAL_BITS) + 288 / 2 * (1 << (15 - LITERAL_BITS)))
#define DISTANCE_ENTRY_COUNT ((1 << DISTANCE_BITS) + 32 / 2 * (1 << (15 - DISTANCE_BITS)))
#define LENGTH_ENTRY_COUNT (1 << LENGTH_BITS)

// An entry: in its lowest byte the bits it takes, with extra bits; above are the flags; in the upper half its value:
// one or two literals, the least length or distance, or the start of another table.
#define ENTRY_LITERAL_COUNT(entry) ((entry) >> 8 & 3)
#define ENTRY_CODE_BITS(entry) ((entry) >> 8 & 15)
#define ENTRY_TABLE_BITS(entry) ((entry) >> 8 & 15)
enum {
    // Not a literal.
    ENTRY_SPECIAL = 0x8000,
    // Neither a length nor a distance: another table, the end of the block, or a code that must not be.
    ENTRY_EXCEPTION = 0x4000,
    ENTRY_TABLE = 0x2000,
    ENTRY_END = 0x1000,
};

// Each fills `table` for codes of these lengths, up to 15, and answers 0 where no such codes can be.
int fill_literals(uint32_t *table, const uint8_t *lengths, unsigned count);
int fill_distances(uint32_t *table, const uint8_t *lengths, unsigned count);

// The codes of the lengths themselves: the value is the symbol.
int fill_lengths(uint32_t *table, const uint8_t *lengths);
