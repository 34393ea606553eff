#include "reduced_codes.h"

#include <string.h>

enum { max_length = 16, sixteen_zeros = 0xF0, last_index = 63, max_first_size = 7 };

bool codes_prepare(struct codes *codes, const uint8_t *counts, const uint8_t *symbols) {
    uint32_t code = 0;
    int32_t index = 0;
    codes->bounds[0] = 0;
    for (int length = 1; length <= max_length; length++) {
        code <<= 1;
        codes->offsets[length] = index - (int32_t)code;
        code += counts[length];
        index += counts[length];
        // A code of ones only is not allowed.
        if (index > 256 || (counts[length] > 0 && code >= UINT32_C(1) << length)) return false;
        codes->bounds[length] = code << (max_length - length);
    }
    memcpy(codes->symbols, symbols, sizeof codes->symbols);
    return true;
}

struct symbol codes_find(const struct codes *codes, uint32_t bits) {
    for (uint8_t length = 1; length <= max_length; length++) {
        if (bits >= codes->bounds[length]) continue;
        int32_t index = codes->offsets[length] + (int32_t)(bits >> (max_length - length));
        // Below 256, because the code is below the bound (see `codes_prepare`).
        return (struct symbol){length, codes->symbols[index & 255]};
    }
    return (struct symbol){0, 0};
}

bool codes_is_regular(uint8_t symbol) { return (symbol & 15) > 0 || symbol == sixteen_zeros || symbol == 0; }

uint32_t codes_coefficient_count(uint8_t symbol) { return symbol == 0 ? end_of_block : (symbol >> 4) + 1u; }

/// Finds the symbols of all numbers of `bit_count` bits.
static void find_all(const struct codes *codes, int bit_count, struct symbol *found) {
    for (uint32_t bits = 0, end = UINT32_C(1) << bit_count; bits < end;) {
        struct symbol symbol = codes_find(codes, bits << (max_length - bit_count));
        if (symbol.length > bit_count) symbol = (struct symbol){0, 0};
        // Codes are in ascending order, so everything after a longer one is longer or no code.
        uint32_t next = symbol.length > 0 ? bits + (UINT32_C(1) << (bit_count - symbol.length)) : end;
        // `next` is at most `end`, because a code of n bits is followed by a multiple of its range.
        while (bits < next) found[bits++] = symbol;
    }
}

void codes_fill_dc(const struct codes *codes, dc_table table) {
    struct symbol found[1 << dc_bits];
    find_all(codes, dc_bits, found);
    for (int bits = 0; bits < 1 << dc_bits; bits++) {
        table[bits] = found[bits].length > 0 ? (uint16_t)codes_dc_entry(found[bits]) : 0;
    }
}

void codes_fill_skips(const struct codes *codes, skip_table table) {
    struct symbol found[1 << skip_bits];
    find_all(codes, skip_bits, found);
    for (uint32_t bits = 0; bits < 1 << skip_bits; bits++) {
        uint32_t used = 0, count = 0;
        while (used < skip_bits && count < last_index) {
            struct symbol next = found[(bits << used) & ((1 << skip_bits) - 1)];
            uint32_t total = used + next.length + (next.value & 15);
            bool is_known = next.length > 0 && used + next.length <= skip_bits && codes_is_regular(next.value);
            if (!is_known || total > max_skipped_bits) break;
            used = total;
            count += codes_coefficient_count(next.value);
        }
        // `count` is at most 62 plus `end_of_block`, and a block has at most 63 coefficients before that: the sum is
        // below `no_entry`.
        table[bits] = (uint16_t)((count > 0 ? count : no_entry) * coefficient + used);
    }
}

/// Returns the entry for `bits`. `found` contains the symbols of all numbers of `value_bits` bits.
static struct value_entry value_entry_for(uint32_t bits, uint32_t max_size, const struct symbol *found) {
    struct value_entry entry = {.places = {1, 1}};
    uint32_t used = 0, count = 0;
    for (int index = 0; used < value_bits; index++) {
        struct symbol next = found[(bits << used) & ((1 << value_bits) - 1)];
        uint32_t size = next.value & 15, offset = used + next.length;
        bool is_known = next.length > 0 && offset <= value_bits && codes_is_regular(next.value) && size <= max_size;
        if (!is_known || offset + size > max_skipped_bits) break;
        bool is_end = next.value == 0;
        if (!is_end && (index == 2 || entry.size > max_first_size)) break;
        used = offset + size;
        count += codes_coefficient_count(next.value);
        if (is_end) break;
        // The value of the first coefficient has ended before `value_bits`.
        uint64_t first_value = (uint64_t)bits << (64 - value_bits) << entry.offset;
        if (index == 1) entry.value = (int8_t)codes_first_value(first_value, entry.size);
        entry.places[0] = index == 0 ? (uint8_t)count : entry.places[1];
        entry.places[1] = (uint8_t)count;
        entry.offset = (uint8_t)offset;
        entry.size = (uint8_t)size;
    }
    entry.advance = (uint16_t)((count > 0 ? count : no_entry) * coefficient + used);
    return entry;
}

void codes_fill_values(const struct codes *codes, uint32_t max_size, value_table table) {
    struct symbol found[1 << value_bits];
    find_all(codes, value_bits, found);
    for (uint32_t bits = 0; bits < 1 << value_bits; bits++) table[bits] = value_entry_for(bits, max_size, found);
}
