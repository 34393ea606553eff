#include "CGIFDecompressor.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A code stands for a string of indices. Strings are kept in chunks of eight: a code has the last chunk of its string,
// of one to eight indices, and a link to the code of all preceding chunks. So a string is written eight indices at a
// time, from its end to its start.
enum {
    code_limit = 4096,
    max_code_width = 12,
    // The largest minimum code size. Its codes are one bit wider than all others, and none are defined.
    max_size = 12,
    chunk_size = 8,
    // The longest string: each code is longer than another one by one index.
    string_size = code_limit,
    block_size = 255,
    input_size = 4096,
    // The number of bytes read after which a call ends early. They may stand for no index at all.
    patience = 1 << 16,
    no_code = -1,
};

// The part of the decompressor that changes with each code.
struct state {
    // Bits that were taken from the input, the next one lowest.
    uint64_t bits;
    unsigned bit_count;
    unsigned code_width;
    // The number of codes defined so far, those of single indices and the two special ones included.
    unsigned code_count;
    // The code before the next one; `no_code` after a clear code.
    int previous;
};

struct cgif_decompressor {
    // The rest of the file, and the offset of the next block.
    const uint8_t *bytes;
    size_t count, position;
    // Whether the block of length 0 was read, or the file has ended.
    bool has_ended;

    // The contents of the next blocks, without their lengths.
    uint8_t input[input_size];
    size_t input_count, input_position;

    // The code that undefines all codes but those of single indices, and its width: the width of codes after it.
    unsigned clear_code, first_width;
    struct state state;
    uint64_t chunks[code_limit];
    uint16_t lengths[code_limit], links[code_limit];
    uint8_t firsts[code_limit];

    // The end of a string for which a call had no room.
    uint8_t surplus[string_size + chunk_size];
    size_t surplus_position, surplus_count;
};

cgif_decompressor *cgif_create(void) { return malloc(sizeof(cgif_decompressor)); }

void cgif_destroy(cgif_decompressor *decompressor) { free(decompressor); }

static inline void clear(const cgif_decompressor *decompressor, struct state *state) {
    state->code_width = decompressor->first_width;
    state->code_count = decompressor->clear_code + 2;
    state->previous = no_code;
}

cgif_status cgif_start(cgif_decompressor *decompressor, const uint8_t *bytes, size_t count) {
    if (count == 0) return cgif_incomplete;
    unsigned size = bytes[0];
    if (size > max_size) return cgif_corrupt;
    decompressor->bytes = bytes;
    decompressor->count = count;
    decompressor->position = 1;
    decompressor->has_ended = false;
    decompressor->input_count = decompressor->input_position = 0;
    decompressor->surplus_position = decompressor->surplus_count = 0;
    decompressor->clear_code = 1u << size;
    decompressor->first_width = size + 1;
    decompressor->state = (struct state){0};
    for (unsigned index = 0; index < decompressor->clear_code; index++) {
        decompressor->chunks[index] = index & 255;
        decompressor->lengths[index] = 1;
        decompressor->links[index] = 0;
        decompressor->firsts[index] = (uint8_t)index;
    }
    clear(decompressor, &decompressor->state);
    return cgif_done;
}

// Appends the contents of the next blocks to the input, as many as it has room for.
static void fill_input(cgif_decompressor *decompressor) {
    size_t kept = decompressor->input_count - decompressor->input_position;
    memmove(decompressor->input, decompressor->input + decompressor->input_position, kept);
    decompressor->input_position = 0;
    decompressor->input_count = kept;
    while (!decompressor->has_ended && decompressor->input_count <= input_size - block_size) {
        size_t left = decompressor->count - decompressor->position;
        size_t length = left > 0 ? decompressor->bytes[decompressor->position] : 0;
        decompressor->has_ended = length == 0 || left < 1 + length;
        if (left == 0) return;
        decompressor->position++;
        if (length > left - 1) length = left - 1;
        memcpy(decompressor->input + decompressor->input_count, decompressor->bytes + decompressor->position, length);
        decompressor->position += length;
        decompressor->input_count += length;
    }
}

static inline void store_chunk(uint8_t *target, uint64_t chunk) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    chunk = __builtin_bswap64(chunk);
#endif
    memcpy(target, &chunk, chunk_size);
}

static inline uint64_t load_bytes(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

// Writes the string of `code`, and up to seven undefined bytes after it.
static inline void write_string(const cgif_decompressor *decompressor, unsigned code, uint8_t *target) {
    size_t position = (size_t)(decompressor->lengths[code] - 1) / chunk_size * chunk_size;
    while (position > 0) {
        store_chunk(target + position, decompressor->chunks[code]);
        position -= chunk_size;
        code = decompressor->links[code];
    }
    store_chunk(target, decompressor->chunks[code]);
}

// Defines `code`: the string of `previous` and then `index`.
static inline void define_code(cgif_decompressor *decompressor, unsigned code, unsigned previous, uint8_t index) {
    unsigned length = decompressor->lengths[previous], used = length % chunk_size;
    decompressor->lengths[code] = (uint16_t)(length + 1);
    decompressor->firsts[code] = decompressor->firsts[previous];
    decompressor->chunks[code] = (used > 0 ? decompressor->chunks[previous] : 0) | (uint64_t)index << (8 * used);
    decompressor->links[code] = used > 0 ? decompressor->links[previous] : (uint16_t)previous;
}

static size_t take_surplus(cgif_decompressor *decompressor, uint8_t *indices, size_t count) {
    size_t left = decompressor->surplus_count - decompressor->surplus_position;
    if (count > left) count = left;
    memcpy(indices, decompressor->surplus + decompressor->surplus_position, count);
    decompressor->surplus_position += count;
    return count;
}

// Takes bits from the input until there are those of a code. Returns false at its end. Adds the bytes read to
// `read_count`.
static bool take_bits(cgif_decompressor *decompressor, struct state *state, size_t *read_count) {
    if (decompressor->input_count - decompressor->input_position < sizeof(uint64_t) && !decompressor->has_ended) {
        *read_count += decompressor->input_position;
        fill_input(decompressor);
    }
    const uint8_t *input = decompressor->input + decompressor->input_position;
    if (decompressor->input_count - decompressor->input_position >= sizeof(uint64_t)) {
        // The bits above `bit_count` are those of the following bytes, and are set again to the same next time.
        state->bits |= load_bytes(input) << state->bit_count;
        unsigned byte_count = (63 - state->bit_count) / 8;
        decompressor->input_position += byte_count;
        state->bit_count += 8 * byte_count;
        return true;
    }
    while (state->bit_count < state->code_width) {
        if (decompressor->input_position == decompressor->input_count) return false;
        state->bits &= ((uint64_t)1 << state->bit_count) - 1;
        state->bits |= (uint64_t)decompressor->input[decompressor->input_position++] << state->bit_count;
        state->bit_count += 8;
    }
    return true;
}

cgif_status cgif_read(cgif_decompressor *decompressor, uint8_t *indices, size_t count, size_t *written) {
    size_t position = take_surplus(decompressor, indices, count), read_count = 0;
    const unsigned clear_code = decompressor->clear_code;
    // A copy, because the compiler must assume that a store to `indices` changes what pointers lead to.
    struct state state = decompressor->state;
    cgif_status status = cgif_done;
    while (position < count) {
        if (state.bit_count < state.code_width && !take_bits(decompressor, &state, &read_count)) {
            status = cgif_incomplete;
            break;
        }
        unsigned code = (unsigned)state.bits & ((1u << state.code_width) - 1);
        state.bits >>= state.code_width;
        state.bit_count -= state.code_width;
        if (code == clear_code) {
            clear(decompressor, &state);
            if (read_count < patience) continue;
            status = cgif_again;
            break;
        }
        // The code may be the one that it defines: its string is that of the code before, followed by its own first index.
        bool is_new = code == state.code_count && code < code_limit && state.previous != no_code;
        if (code == clear_code + 1) {
            status = cgif_ended;
            break;
        }
        if (code >= state.code_count && !is_new) {
            status = cgif_corrupt;
            break;
        }
        if (state.previous != no_code && state.code_count < code_limit) {
            uint8_t first = decompressor->firsts[is_new ? (unsigned)state.previous : code];
            define_code(decompressor, state.code_count++, (unsigned)state.previous, first);
        }
        if (state.code_count >> state.code_width > 0 && state.code_width < max_code_width) state.code_width++;
        state.previous = (int)code;
        size_t length = decompressor->lengths[code];
        if (length + chunk_size <= count - position) {
            write_string(decompressor, code, indices + position);
            position += length;
        } else {
            write_string(decompressor, code, decompressor->surplus);
            decompressor->surplus_position = 0;
            decompressor->surplus_count = length;
            position += take_surplus(decompressor, indices + position, count - position);
        }
    }
    decompressor->state = state;
    *written = position;
    return status;
}

void cgif_draw(const uint8_t *indices, size_t count, const uint32_t *palette, uint32_t *pixels) {
    for (size_t n = 0; n < count; n++) pixels[n] = palette[indices[n]];
}
