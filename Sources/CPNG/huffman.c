#include "huffman.h"
#include "bound.h"

#include <string.h>

static const uint16_t base_lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t extra_length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                            2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

// Returns the table entry of a symbol, without the number of bits of its code.
typedef uint32_t symbol_entry(unsigned symbol);

static const uint32_t no_entry = ENTRY_SPECIAL | ENTRY_EXCEPTION;

enum { MAX_BITS = 15, MAX_SYMBOL_COUNT = 288 };

static uint32_t literal_entry(unsigned symbol) {
    if (symbol < 256) return symbol << 16 | 1 << 8;
    if (symbol == 256) return ENTRY_SPECIAL | ENTRY_EXCEPTION | ENTRY_END;
    if (symbol > 285) return no_entry;
    return (uint32_t)base_lengths[symbol - 257] << 16 | ENTRY_SPECIAL | extra_length_bits[symbol - 257];
}

static uint32_t distance_entry(unsigned symbol) {
    if (symbol > 29) return no_entry;
    unsigned extra = symbol < 2 ? 0 : symbol / 2 - 1;
    uint32_t least = symbol < 2 ? symbol + 1 : ((2 + symbol % 2) << extra) + 1;
    return least << 16 | ENTRY_SPECIAL | extra;
}

static uint32_t length_entry(unsigned symbol) { return symbol << 16; }

// Completes the entry of a code that has `bits` bits.
static uint32_t with_bits(uint32_t entry, unsigned bits) {
    if (!(entry & ENTRY_SPECIAL)) entry |= bits << 10;
    else if (!(entry & ENTRY_EXCEPTION)) entry |= bits << 8;
    return entry + bits;
}

// Returns the successor of `code`, both stored with the first bit lowest.
static unsigned next_code(unsigned code, unsigned bits) {
    unsigned zeros = code ^ ((1u << bits) - 1);
    if (!zeros) return code;
    unsigned highest = 1u << (31 - __builtin_clz(zeros));
    return (code & (highest - 1)) | highest;
}

// Sorts the symbols by code length. Returns the longest length, or -1 if the lengths are invalid. An incomplete code is
// invalid, unless it has no symbol or, with `allows_one`, a single code of one bit.
static int sort(const uint8_t *lengths, unsigned count, int allows_one, uint16_t *sorted, uint16_t *counts) {
    uint16_t starts[MAX_BITS + 1];
    memset(counts, 0, (MAX_BITS + 1) * sizeof *counts);
    for (unsigned symbol = 0; symbol < count; symbol++) {
        // Lengths are symbols of the code length code below 16, or its own lengths of three bits.
        BOUND(lengths[symbol] <= MAX_BITS);
        counts[lengths[symbol]]++;
    }
    int free = 1, longest = 0;
    unsigned start = 0;
    for (int bits = 1; bits <= MAX_BITS; bits++) {
        free = 2 * free - counts[bits];
        if (free < 0) return -1;
        if (counts[bits]) longest = bits;
        starts[bits] = start;
        start += counts[bits];
    }
    if (free && longest > (allows_one ? 1 : 0)) return -1;
    for (unsigned symbol = 0; symbol < count; symbol++) {
        if (!lengths[symbol]) continue;
        // The starts are sums of the counts, which add up to `count` at most.
        BOUND(starts[lengths[symbol]] < count && count <= MAX_SYMBOL_COUNT);
        sorted[starts[lengths[symbol]]++] = symbol;
    }
    return longest;
}

// A table to fill.
typedef struct {
    uint32_t *entries;
    // The number of bits looked up at once, and the number of entries including subtables.
    unsigned bits, count;
    int allows_one;
    symbol_entry *entry;
} target;

static int fill(target table, const uint8_t *lengths, unsigned count) {
    uint16_t sorted[MAX_SYMBOL_COUNT], counts[MAX_BITS + 1];
    int longest = sort(lengths, count, table.allows_one, sorted, counts);
    if (longest < 0) return 0;
    const uint16_t *symbol = sorted;
    unsigned code = 0, size = 1;
    table.entries[0] = with_bits(no_entry, 1);
    // Doubling the table repeats the entries of shorter codes.
    for (unsigned bits = 1; bits <= table.bits; bits++, size *= 2) {
        // The last doubling gives 1 << table.bits entries.
        BOUND(2 * size <= 1u << table.bits && 1u << table.bits <= table.count);
        memcpy(table.entries + size, table.entries, size * sizeof *table.entries);
        for (unsigned n = counts[bits]; n; n--, symbol++) {
            // A code has as many bits as the table so far.
            BOUND(code < 2 * size);
            table.entries[code] = with_bits(table.entry(*symbol), bits);
            code = next_code(code, bits);
        }
    }
    unsigned prefix = ~0u, start = 0, end = size, rest_bits = (unsigned)longest - table.bits;
    for (unsigned bits = table.bits + 1; bits <= (unsigned)longest; bits++)
        for (unsigned n = counts[bits]; n; n--, symbol++) {
            if ((code & (size - 1)) != prefix) {
                prefix = code & (size - 1);
                start = end;
                end += 1u << rest_bits;
                // `prefix` has the bits of the main table. Codes this long are complete, so each subtable holds two
                // symbols at least: there are up to `count` / 2, for which the count of entries provides.
                BOUND(end <= table.count);
                table.entries[prefix] =
                    start << 16 | ENTRY_SPECIAL | ENTRY_EXCEPTION | ENTRY_TABLE | rest_bits << 8 | table.bits;
            }
            uint32_t value = with_bits(table.entry(*symbol), bits - table.bits);
            for (unsigned at = code >> table.bits; at < 1u << rest_bits; at += 1u << (bits - table.bits)) {
                BOUND(start + at < end);
                table.entries[start + at] = value;
            }
            code = next_code(code, bits);
        }
    return 1;
}

// Combines two literals whose codes fit into one lookup into a single entry.
static void pair_literals(uint32_t *table) {
    for (unsigned at = 1 << LITERAL_BITS; at--;) {
        uint32_t first = table[at], second = table[at >> (first & 15)];
        if ((first | second) & ENTRY_SPECIAL || (first & 15) + (second & 15) > LITERAL_BITS) continue;
        uint32_t values = (first >> 16 & 255) << 16 | second >> 16 << 24;
        table[at] = values | (first & 15) << 10 | 2 << 8 | ((first & 15) + (second & 15));
    }
}

int fill_literals(uint32_t *table, const uint8_t *lengths, unsigned count) {
    if (!fill((target){table, LITERAL_BITS, LITERAL_ENTRY_COUNT, 1, literal_entry}, lengths, count)) return 0;
    pair_literals(table);
    return 1;
}

int fill_distances(uint32_t *table, const uint8_t *lengths, unsigned count) {
    return fill((target){table, DISTANCE_BITS, DISTANCE_ENTRY_COUNT, 1, distance_entry}, lengths, count);
}

int fill_lengths(uint32_t *table, const uint8_t *lengths) {
    return fill((target){table, LENGTH_BITS, LENGTH_ENTRY_COUNT, 0, length_entry}, lengths, 19);
}
