#pragma once

#include "reduced_bits.h"
#include "reduced_codes.h"
#include "reduced_transform.h"

// Decoding of single blocks. The functions return false at an irregularity, even if libjpeg would tolerate it. They are
// in a header so that they are inlined into the loop over all blocks, where the bits remain in registers.

enum {
    /// The maximum number of bytes of a block: 64 codes of at most 16 bits, each with a value of at most 15.
    max_block_byte_count = 256,
    /// The place of coefficients behind the block.
    outer_place = block_size,
};

/// A component of the image.
struct component {
    /// The number of blocks in an MCU, horizontally and vertically.
    uint32_t width, height;
    /// The number of samples in each direction that a block becomes. If it is 1, only the DC coefficient matters.
    uint32_t scale;
    const struct codes *dc_codes, *ac_codes;
    const uint16_t *dc_table, *skip_table;
    const struct value_entry *value_table;
    /// The DC coefficient of the previous block.
    int32_t dc;
    /// The samples of a row of MCUs, and the distance of their rows.
    uint8_t *samples;
    size_t stride;
    /// By row and column.
    int16_t quantizers[block_size];
    /// The places in a block of coefficients in zigzag order, from index 1 on, and of those that an entry of
    /// `value_table` may place behind the block.
    uint8_t places[block_size + max_entry_coefficients];
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

/// Sets the coefficient at an index in zigzag order that counts from 1.
static inline void set_coefficient(
    struct block *block, const struct component *component, uint64_t index, int32_t value) {
    block->values[component->places[index]] = (int16_t)value;
}

/// Reads the symbols of an entry of `value_table`, and sets their coefficients. Requires `max_skipped_bits` bits.
static inline void read_entry(
    struct bits *bits, const struct component *component, const struct value_entry *entry, struct block *block) {
    uint64_t index = coefficient_index(bits);
    int32_t value = codes_first_value(bits->window << entry->offset, entry->size);
    bits_drop(bits, entry->advance, entry->advance);
    // `index` was below `block_size`. Those behind the block are not used, and later entries may set the others again.
    set_coefficient(block, component, index + entry->places[0], entry->value);
    set_coefficient(block, component, index + entry->places[1], value);
}

/// Reads an AC coefficient that the table does not contain, or the end of the block. Requires 31 bits.
static inline bool read_rare_coefficient(struct bits *bits, const struct component *component, struct block *block) {
    uint8_t symbol;
    if (!read_ac_symbol(bits, component, &symbol)) return false;
    if (has_ended(bits)) return true;
    uint64_t index = coefficient_index(bits);
    if (index > block_size) return false;
    int32_t value = codes_first_value(bits->window, symbol & 15);
    bits_drop(bits, symbol & 15, symbol & 15);
    set_coefficient(block, component, index, value);
    int32_t dequantized = value * component->quantizers[component->places[index]];
    return dequantized >= -max_coefficient && dequantized <= max_coefficient;
}

/// Reads the AC coefficients. Requires, and leaves, at least `value_bits` bits.
static inline bool read_ac(struct bits *state, const struct component *component, struct block *block) {
    const struct value_entry *table = component->value_table;
    struct bits bits = *state;
    bits.spent += coefficient;
    for (;;) {
        const struct value_entry *entry = &table[bits_first(&bits, value_bits)];
        // Takes place while the entry is being loaded.
        bits_refill(&bits);
        read_entry(&bits, component, entry, block);
        if (bits.spent < block_size * coefficient) {
            entry = &table[bits_first(&bits, value_bits)];
            read_entry(&bits, component, entry, block);
            if (bits.spent < block_size * coefficient) continue;
        }
        if (has_ended(&bits) || coefficient_index(&bits) == block_size) break;
        // The symbols of the entry continue behind the block, or there is no entry.
        bits.spent -= entry->advance;
        bits_reload(&bits);
        if (!read_rare_coefficient(&bits, component, block)) return false;
        if (bits.spent >= block_size * coefficient) break;
    }
    bits.spent &= spent_mask;
    *state = bits;
    return true;
}

/// Whether a block has no AC coefficients. Drops the code that says so.
static inline bool read_empty_ac(struct bits *bits, const struct component *component) {
    uint32_t advance = component->value_table[bits_first(bits, value_bits)].advance;
    if (advance / coefficient != end_of_block) return false;
    bits_drop(bits, advance & spent_mask, advance & spent_mask);
    return true;
}

/// Sets all samples of a block, 2x2 or 4x4, to the first one.
static inline void repeat_sample(uint8_t *samples, size_t stride, uint32_t scale) {
    uint32_t row = samples[0] * UINT32_C(0x01010101);
    for (uint32_t y = 0; y < scale; y++, samples += stride) {
        // Each a single store.
        if (scale == 2) memcpy(samples, &row, 2);
        if (scale == 4) memcpy(samples, &row, 4);
    }
}

/// Decodes a block to as many samples as the component's scale says.
static inline bool read_block(struct bits *bits, struct component *component, uint8_t *samples) {
    if (!read_dc(bits, component)) return false;
    // The sample limits `dc` to about 2^12, so the next difference cannot make it overflow.
    if (!transform_dc(component->dc * component->quantizers[0], samples)) return false;
    uint32_t scale = component->scale;
    if (scale == 1) return skip_ac(bits, component);
    if (read_empty_ac(bits, component)) {
        repeat_sample(samples, component->stride, scale);
        return true;
    }
    struct block block;
    block_clear(&block, scale);
    block.values[0] = (int16_t)component->dc;
    if (!read_ac(bits, component, &block)) return false;
    return scale == 2 ? transform_2x2(&block, component->quantizers, samples, component->stride)
                      : transform_4x4(&block, component->quantizers, samples, component->stride);
}
