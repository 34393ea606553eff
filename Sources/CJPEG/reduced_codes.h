#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Huffman codes (ITU-T T.81, annex C and F.2.2), and tables that decode them by the next bits of the file.
//
// A code stands for a symbol, and is followed by the bits of a value whose number, the size, is part of the symbol:
//
//   DC symbol   size                the value is the difference from the previous block's DC coefficient
//   AC symbol   run << 4 | size     `run` zeros, then a coefficient with the value
//               0x00                the end of the block: only zeros are left
//               0xF0                16 zeros
//
// libjpeg looks up one symbol at a time, which takes most of its time. The tables here contain as many whole symbols as
// the next bits do:
//
// - `skip_table`, for blocks of which only the DC coefficient matters, skips the symbols in 12 bits. If 101 is the code
//   of a coefficient of 2 bits without zeros before it (0x02) and 00 ends the block, then the entry for
//   101 vv 101 vv 00 says: 12 bits, 2 coefficients, end of the block.
// - `value_table`, for blocks whose values matter, has up to two coefficients in 11 bits, and the end of the block. It
//   contains the value of the first one. So with these codes, the entry for 101 00 101 vv 1 says: 10 bits,
//   2 coefficients, the first one is -3, and the second one has the 2 bits after the first 8.
//
// In both, the value of the last symbol may extend beyond the bits that select the entry.
//
// An entry has one number with the bits of codes and values at the bottom and the coefficients above them. So a single
// addition advances both, and a single comparison detects the end of a block and everything unusual: these all count as
// more coefficients than a block has.
//
// The speed is limited by the time from one look-up to the next, which depends on its result. Whatever can be computed
// beside that chain is.

enum {
    dc_bits = 9,
    skip_bits = 12,
    value_bits = 11,

    /// The unit in which entries count coefficients, beside a number of bits.
    coefficient = 1 << 8,
    /// The number of coefficients as which the end of a block counts.
    end_of_block = 128,
    /// The number of coefficients of an entry whose bits are no code, or one for `codes_find`.
    no_entry = 255,

    /// The maximum number of bits that an entry stands for: two of them and the bits that select a third one fit into
    /// 56 bits.
    max_skipped_bits = 22,
    /// The maximum number of coefficients of an entry before the end of the block.
    max_entry_coefficients = 32,
};

/// The codes of a table of the file, for searches by length.
struct codes {
    /// By length: the upper bound of the codes of at most this length, with zeros appended up to 16 bits.
    uint32_t bounds[17];
    /// By length: what to add to a code to get the index of its symbol.
    int32_t offsets[17];
    uint8_t symbols[256];
};

struct symbol {
    /// The length of the code, or 0 if there is no symbol.
    uint8_t length;
    uint8_t value;
};

/// By `dc_bits` bits: the size of the value times 256, plus the number of bits; 0 if they are no code of that length.
typedef uint16_t dc_table[1 << dc_bits];

/// By `skip_bits` bits: the number of coefficients times `coefficient`, plus the number of bits.
typedef uint16_t skip_table[1 << skip_bits];

/// Up to two coefficients, which are in places that count from the first unread one as 1.
struct value_entry {
    /// The number of coefficients times `coefficient`, plus the number of bits.
    uint16_t advance;
    /// If there is only one coefficient, both places are its place, and the second value is valid. Without
    /// coefficients, the first unread one is 0.
    uint8_t places[2];
    /// The first value.
    int8_t value;
    /// The number of bits before those of the second value, and their number.
    uint8_t offset, size;
};

/// By `value_bits` bits.
typedef struct value_entry value_table[1 << value_bits];

/// Returns false if libjpeg rejects the table. `counts` contains the number of codes by length, from index 1 on.
bool codes_prepare(struct codes *codes, const uint8_t *counts, const uint8_t *symbols);

/// Returns the symbol of the code with which `bits`, a number of 16 bits, begins.
struct symbol codes_find(const struct codes *codes, uint32_t bits);

/// Whether an encoder may write an AC symbol. libjpeg takes the others, of size 0, for the end of the block.
bool codes_is_regular(uint8_t symbol);

/// Returns the number of coefficients that a regular AC symbol stands for.
uint32_t codes_coefficient_count(uint8_t symbol);

/// Returns the value that is stored in `size` bits, at most 15 (ITU-T T.81, F.2.2.1). Negative values begin with 0.
static inline int32_t codes_value(uint32_t bits, uint32_t size) {
    bool is_negative = size > 0 && bits >> (size - 1) == 0;
    return (int32_t)bits + (is_negative ? 1 - (INT32_C(1) << size) : 0);
}

/// Returns the value in the first `size` bits, at most 15, of `window`, without branches.
static inline int32_t codes_first_value(uint64_t window, uint32_t size) {
    int32_t is_negative = (int32_t)~((int64_t)window >> 63);
    return (int32_t)(window >> 1 >> (63 - size)) + (is_negative & (1 - (INT32_C(1) << size)));
}

/// Returns the entry of `dc_table` for a symbol.
static inline uint32_t codes_dc_entry(struct symbol symbol) {
    return (uint32_t)symbol.value << 8 | (uint32_t)(symbol.length + symbol.value);
}

void codes_fill_dc(const struct codes *codes, dc_table table);
void codes_fill_skips(const struct codes *codes, skip_table table);

/// Fills a table with values of up to `max_size` bits.
void codes_fill_values(const struct codes *codes, uint32_t max_size, value_table table);
