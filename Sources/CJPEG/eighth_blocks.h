#pragma once

#include "eighth_bits.h"
#include "eighth_codes.h"
#include "eighth_transform.h"

// Decoding of single blocks. The functions return false at an irregularity, even if libjpeg would tolerate it. They are
// in a header so that they are inlined into the loop over all blocks, where the bits remain in registers.

enum {
    block_size = 64,
    /// The maximum number of bytes of a block: 64 codes of at most 16 bits, each with a value of at most 15.
    max_block_byte_count = 256,
};

/// A component of the image.
struct component {
    /// The number of blocks in an MCU, horizontally and vertically.
    uint32_t width, height;
    /// The number of samples in each direction that a block becomes. If it is 1, only the DC coefficient matters.
    uint32_t scale;
    const struct codes *dc_codes, *ac_codes;
    const uint16_t *dc_table, *skip_table;
    const uint32_t *value_table;
    /// The DC coefficient of the previous block.
    int32_t dc;
    /// The samples of a row of MCUs, and the distance of their rows.
    uint8_t *samples;
    size_t stride;
    /// In zigzag order, from index 1 on.
    struct contribution contributions[block_size + 1];
    uint8_t quantizers[block_size + 1];
};

/// Returns the index after the coefficients read so far, in zigzag order. The end of the block adds `end_of_block`.
static inline uint64_t coefficient_index(const struct bits *bits) { return bits->spent / coefficient; }

/// Whether the end of the block has been read. The index before it was at least 1 and below `block_size`.
static inline bool has_ended(const struct bits *bits) {
    return coefficient_index(bits) > end_of_block && coefficient_index(bits) < end_of_block + block_size;
}

/// Reads a symbol of up to 16 bits.
static inline bool read_ac_symbol(struct bits *bits, const struct component *component, uint8_t *value) {
    struct symbol symbol = codes_find(component->ac_codes, bits_first(bits, 16));
    bits_drop(bits, symbol.length, symbol.length + codes_coefficient_count(symbol.value) * coefficient);
    *value = symbol.value;
    return symbol.length > 0 && codes_is_regular(symbol.value);
}

/// Reads the DC coefficient. Leaves at least 25 bits.
static inline bool read_dc(struct bits *bits, struct component *component) {
    uint32_t entry = component->dc_table[bits_first(bits, dc_bits)];
    bits_refill(bits);
    if (entry == 0) {
        struct symbol symbol = codes_find(component->dc_codes, bits_first(bits, 16));
        if (symbol.length == 0) return false;
        entry = codes_dc_entry(symbol);
    }
    // A single shift drops the code and the value, because the next symbol waits for it.
    uint32_t size = entry >> 8, count = entry & 63;
    component->dc += codes_value(bits_first(bits, count) & ((UINT32_C(1) << size) - 1), size);
    bits_drop(bits, count, count);
    return true;
}

/// Skips the AC coefficients. Requires, and leaves, at least `skip_bits` bits.
static inline bool skip_ac(struct bits *state, const struct component *component) {
    const uint16_t *table = component->skip_table;
    struct bits bits = *state;
    bits.spent += coefficient;
    for (;;) {
        uint32_t entry = table[bits_first(&bits, skip_bits)];
        // Takes place while the entry is being loaded.
        bits_refill(&bits);
        bits_drop(&bits, entry, entry);
        if (bits.spent < block_size * coefficient) {
            entry = table[bits_first(&bits, skip_bits)];
            bits_drop(&bits, entry, entry);
            if (bits.spent < block_size * coefficient) continue;
        }
        if (has_ended(&bits) || coefficient_index(&bits) == block_size) break;
        // The symbols of the entry continue behind the block, or there is no entry.
        bits.spent -= entry;
        bits_reload(&bits);
        uint8_t symbol;
        if (!read_ac_symbol(&bits, component, &symbol)) return false;
        bits_drop(&bits, symbol & 15, symbol & 15);
        if (has_ended(&bits) || coefficient_index(&bits) == block_size) break;
        if (coefficient_index(&bits) > block_size) return false;
    }
    bits.spent &= spent_mask;
    *state = bits;
    return true;
}

/// Adds a coefficient to the sums. `index` is at most `block_size`.
static inline void add_coefficient(
    struct sums *sums, const struct component *component, uint64_t index, int32_t value) {
    const struct contribution *contribution = &component->contributions[index];
    sums->values[contribution->sum] += value * contribution->factor;
}

/// Reads an AC coefficient that the table does not contain, or the end of the block. Leaves `value_bits` bits.
static bool read_rare_coefficient(struct bits *bits, const struct component *component, struct sums *sums) {
    uint8_t symbol;
    bits_refill(bits);
    if (!read_ac_symbol(bits, component, &symbol)) return false;
    if (has_ended(bits)) return true;
    uint64_t index = coefficient_index(bits);
    if (index > block_size) return false;
    uint32_t size = symbol & 15;
    int32_t value = codes_value(bits_first(bits, size), size), dequantized = value * component->quantizers[index];
    bits_drop(bits, size, size);
    if (dequantized < -max_coefficient || dequantized > max_coefficient) return false;
    add_coefficient(sums, component, index, value);
    return true;
}

/// Reads the AC coefficients. Requires, and leaves, at least `value_bits` bits.
static inline bool read_ac(struct bits *state, const struct component *component, struct sums *sums) {
    const uint32_t *table = component->value_table;
    struct bits bits = *state;
    bits.spent += coefficient;
    for (;;) {
        uint32_t entry = table[bits_first(&bits, value_bits)];
        bits_refill(&bits);
        bits_drop(&bits, entry, entry & 0xFFFF);
        if (bits.spent < block_size * coefficient) {
            add_coefficient(sums, component, coefficient_index(&bits), (int32_t)entry >> 16);
            entry = table[bits_first(&bits, value_bits)];
            bits_drop(&bits, entry, entry & 0xFFFF);
            if (bits.spent < block_size * coefficient) {
                add_coefficient(sums, component, coefficient_index(&bits), (int32_t)entry >> 16);
                continue;
            }
        }
        if (has_ended(&bits)) break;
        if (coefficient_index(&bits) == block_size) {
            add_coefficient(sums, component, block_size, (int32_t)entry >> 16);
            break;
        }
        if (entry != no_entry * coefficient) return false;
        bits.spent -= entry;
        if (!read_rare_coefficient(&bits, component, sums)) return false;
        if (bits.spent >= block_size * coefficient) break;
    }
    bits.spent &= spent_mask;
    *state = bits;
    return true;
}

/// Decodes a block of 1x1 or 2x2 samples.
static inline bool read_block(struct bits *bits, struct component *component, uint8_t *samples) {
    if (!read_dc(bits, component)) return false;
    // The sample limits `dc` to about 2^12, so the next difference cannot make it overflow.
    int32_t dc = component->dc * component->quantizers[1];
    if (!transform_dc(dc, samples)) return false;
    if (component->scale == 1) return skip_ac(bits, component);
    uint32_t entry = component->value_table[bits_first(bits, value_bits)];
    if ((entry & 0xFFFF) / coefficient == end_of_block) {
        bits_drop(bits, entry, entry & spent_mask);
        samples[1] = samples[component->stride] = samples[component->stride + 1] = samples[0];
        return true;
    }
    struct sums sums = {{dc * (1 << even_shift)}};
    return read_ac(bits, component, &sums) && transform_sums(&sums, samples, component->stride);
}
