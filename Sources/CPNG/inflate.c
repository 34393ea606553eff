#include "inflate.h"
#include "huffman.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// The maximum distance of a reference.
#define WINDOW ((size_t)1 << 15)
// The number of bytes inflated between two moves of the window.
#define PORTION ((size_t)1 << 16)
// The maximum number of bytes that one iteration may write beyond its bound: literals, a match of 258 bytes, and the
// rest of a word.
#define OUTPUT_SLACK 320
#define INPUT_COUNT ((size_t)1 << 16)
// The maximum number of bytes that one iteration may read; as many zeros follow the end of the stream.
#define INPUT_SLACK 32
// An upper bound of the size of a block header.
#define HEADER_COUNT 1024
// The maximum number of bytes that may be un-read.
#define UNREAD_COUNT 8

typedef enum { STREAM_START, BLOCK_START, STORED, CODED, STREAM_END, ENDED, BROKEN } stage;

struct inflater {
    inflater_source *source;
    void *context;
    stage stage;
    int is_last_block, has_all_input;
    // Whether the tables are those of the fixed codes, so that a stream of many small blocks need not fill them each
    // time.
    int has_fixed_codes;
    size_t stored_count, window;
    uint32_t checksum;
    // The bits read but not used, the next one lowest. Higher bits may hold bits of the input at `next`.
    uint64_t bits;
    unsigned bit_count;
    // The position of the next input byte, the end of the input, and the capacity of the input buffer.
    size_t next, end, input_count;
    // The end of the output, the end of the bytes taken, the end of the bytes checksummed, and the capacity.
    size_t produced, taken, summed, capacity;
    uint8_t *output;
    uint32_t literals[LITERAL_ENTRY_COUNT], distances[DISTANCE_ENTRY_COUNT];
    uint8_t input[INPUT_COUNT + 2 * INPUT_SLACK];
};

inflater *inflater_create(size_t max_taken, inflater_source *source, void *context) {
    size_t capacity;
    if (__builtin_add_overflow(max_taken, WINDOW + PORTION, &capacity) || capacity > SIZE_MAX - OUTPUT_SLACK)
        return NULL;
    inflater *inflater = malloc(sizeof *inflater);
    uint8_t *output = malloc(capacity + OUTPUT_SLACK);
    if (!inflater || !output) {
        free(inflater);
        free(output);
        return NULL;
    }
    // The tables and the input are not cleared: that would dominate the time of a small image.
    memset(inflater, 0, offsetof(struct inflater, literals));
    inflater->source = source;
    inflater->context = context;
    inflater->checksum = 1;
    inflater->capacity = capacity;
    inflater->output = output;
    inflater->input_count = INPUT_COUNT;
    return inflater;
}

void inflater_use_small_portions(inflater *inflater, size_t input_count, size_t portion) {
    size_t least = HEADER_COUNT + UNREAD_COUNT;
    inflater->input_count = input_count < least ? least : input_count < INPUT_COUNT ? input_count : INPUT_COUNT;
    if (portion && portion < PORTION) inflater->capacity -= PORTION - portion;
}

void inflater_destroy(inflater *inflater) {
    if (!inflater) return;
    free(inflater->output);
    free(inflater);
}

// Reads input until `count` bytes or the end of the stream are available.
static void need_input(inflater *inflater, size_t count) {
    if (inflater->has_all_input || inflater->end - inflater->next >= count) return;
    // Bytes that were read ahead may be un-read.
    size_t start = inflater->next < UNREAD_COUNT ? 0 : inflater->next - UNREAD_COUNT;
    inflater->end -= start;
    inflater->next -= start;
    memmove(inflater->input, inflater->input + start, inflater->end);
    size_t free = inflater->input_count - inflater->end;
    size_t got = inflater->source(inflater->context, inflater->input + inflater->end, free);
    inflater->end += got;
    if (got == free) return;
    inflater->has_all_input = 1;
    memset(inflater->input + inflater->end, 0, 2 * INPUT_SLACK);
}

// Whether `count` bits, up to 32, are available. They are then the lowest ones.
static int need_bits(inflater *inflater, unsigned count) {
    while (inflater->bit_count < count) {
        need_input(inflater, 1);
        if (inflater->next >= inflater->end) return 0;
        inflater->bits |= (uint64_t)inflater->input[inflater->next++] << inflater->bit_count;
        inflater->bit_count += 8;
    }
    return 1;
}

static uint32_t use_bits(inflater *inflater, unsigned count) {
    uint32_t bits = (uint32_t)(inflater->bits & (((uint64_t)1 << count) - 1));
    inflater->bits >>= count;
    inflater->bit_count -= count;
    return bits;
}

// Skips to the next byte boundary. Bytes that were read ahead, some possibly beyond the end, are un-read.
static int align(inflater *inflater) {
    inflater->next -= inflater->bit_count / 8;
    inflater->bits = inflater->bit_count = 0;
    return inflater->next <= inflater->end;
}

static int start_stream(inflater *inflater) {
    if (!need_bits(inflater, 16)) return 0;
    unsigned method = use_bits(inflater, 8), flags = use_bits(inflater, 8);
    inflater->window = (size_t)1 << (8 + (method >> 4));
    inflater->stage = BLOCK_START;
    return (method & 15) == 8 && inflater->window <= WINDOW && !((method << 8 | flags) % 31) && !(flags & 32);
}

static int fill_fixed(inflater *inflater) {
    uint8_t lengths[288];
    if (inflater->has_fixed_codes) return 1;
    inflater->has_fixed_codes = 1;
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    fill_literals(inflater->literals, lengths, 288);
    memset(lengths, 5, 32);
    return fill_distances(inflater->distances, lengths, 32);
}

// Reads the code lengths of a dynamic block and fills the tables.
static int read_codes(inflater *inflater) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint32_t table[LENGTH_ENTRY_COUNT];
    uint8_t code_lengths[19] = {0}, lengths[288 + 32] = {0};
    inflater->has_fixed_codes = 0;
    if (!need_bits(inflater, 14)) return 0;
    unsigned literal_count = 257 + use_bits(inflater, 5), distance_count = 1 + use_bits(inflater, 5);
    unsigned length_count = 4 + use_bits(inflater, 4), count = literal_count + distance_count;
    if (literal_count > 286 || distance_count > 30) return 0;
    for (unsigned n = 0; n < length_count; n++) {
        if (!need_bits(inflater, 3)) return 0;
        code_lengths[order[n]] = use_bits(inflater, 3);
    }
    if (!fill_lengths(table, code_lengths)) return 0;
    for (unsigned n = 0; n < count;) {
        // A code may be followed by up to 7 extra bits. The end of the block and of the stream provide at least as
        // many.
        if (!need_bits(inflater, 14)) return 0;
        uint32_t entry = table[inflater->bits & (LENGTH_ENTRY_COUNT - 1)];
        unsigned symbol = entry >> 16;
        use_bits(inflater, entry & 15);
        if (symbol < 16) {
            lengths[n++] = symbol;
            continue;
        }
        if (symbol == 16 && !n) return 0;
        uint8_t value = symbol == 16 ? lengths[n - 1] : 0;
        unsigned repeats = symbol == 16   ? 3 + use_bits(inflater, 2)
                           : symbol == 17 ? 3 + use_bits(inflater, 3)
                                          : 11 + use_bits(inflater, 7);
        if (repeats > count - n) return 0;
        memset(lengths + n, value, repeats);
        n += repeats;
    }
    return lengths[256] && fill_literals(inflater->literals, lengths, literal_count) &&
           fill_distances(inflater->distances, lengths + literal_count, distance_count);
}

static int start_block(inflater *inflater) {
    if (inflater->is_last_block) {
        inflater->stage = STREAM_END;
        return 1;
    }
    need_input(inflater, HEADER_COUNT);
    if (!need_bits(inflater, 3)) return 0;
    inflater->is_last_block = use_bits(inflater, 1);
    switch (use_bits(inflater, 2)) {
    case 0:
        if (!align(inflater) || !need_bits(inflater, 32)) return 0;
        inflater->stage = STORED;
        inflater->stored_count = use_bits(inflater, 16);
        return inflater->stored_count == (use_bits(inflater, 16) ^ 0xFFFF);
    case 1:
        inflater->stage = CODED;
        return fill_fixed(inflater);
    case 2:
        inflater->stage = CODED;
        return read_codes(inflater);
    default: return 0;
    }
}

static int copy_stored(inflater *inflater) {
    need_input(inflater, 1);
    size_t count = inflater->stored_count, room = inflater->capacity - inflater->produced;
    if (count > room) count = room;
    if (count > inflater->end - inflater->next) count = inflater->end - inflater->next;
    memcpy(inflater->output + inflater->produced, inflater->input + inflater->next, count);
    inflater->produced += count;
    inflater->next += count;
    inflater->stored_count -= count;
    if (!inflater->stored_count) inflater->stage = BLOCK_START;
    return count || !inflater->stored_count;
}

static inline uint64_t word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

// Copies `count` bytes from `distance` bytes before `target`. May write up to one word more.
static inline void copy_match(uint8_t *target, size_t distance, size_t count) {
    const uint8_t *source = target - distance, *end = target + count;
    if (distance >= 16) {
        do {
            memcpy(target, source, 16);
            target += 16;
            source += 16;
        } while (target < end);
    } else if (distance >= 8) {
        do {
            memcpy(target, source, 8);
            target += 8;
            source += 8;
        } while (target < end);
    } else if (distance == 1) {
        memset(target, *source, count);
    } else {
        // The first `distance` bytes of each word are correct.
        do {
            uint64_t word;
            memcpy(&word, source, 8);
            memcpy(target, &word, 8);
            target += distance;
            source += distance;
        } while (target < end);
    }
}

// Decodes symbols until the block ends, the output is full or little input is left. Returns 0 for invalid data.
static inline __attribute__((always_inline)) int inflate_codes(inflater *inflater) {
    const uint32_t *literals = inflater->literals, *distances = inflater->distances;
    const uint8_t *in = inflater->input + inflater->next;
    // Zeros follow the end of the input; a valid stream uses none of them.
    const uint8_t *in_bound = inflater->input + inflater->end;
    in_bound = inflater->has_all_input ? in_bound + INPUT_SLACK : in_bound - INPUT_SLACK;
    uint8_t *out = inflater->output + inflater->produced;
    uint8_t *const out_start = inflater->output, *const out_bound = inflater->output + inflater->capacity;
    uint64_t bits = inflater->bits;
    unsigned bit_count = inflater->bit_count;
    int is_valid = 1;

// Refills `bits` to at least 56 bits.
#define REFILL() (bits |= word(in) << bit_count, in += (63 - bit_count) >> 3, bit_count |= 56)
#define USE(count) (bits >>= (count), bit_count -= (count))
// Stores one or two literals; always writes two bytes.
#define PUT()                                                                                                          \
    (out[0] = (uint8_t)(entry >> 16), out[1] = (uint8_t)(entry >> 24), out += ENTRY_LITERAL_COUNT(entry),              \
     USE(entry & 255))
#define LOOK_UP() (entry = literals[bits & ((1 << LITERAL_BITS) - 1)])

    while (out < out_bound && in <= in_bound) {
        uint32_t entry;
        REFILL();
        LOOK_UP();
        if (!(entry & ENTRY_SPECIAL)) {
            PUT();
            LOOK_UP();
            if (!(entry & ENTRY_SPECIAL)) {
                PUT();
                LOOK_UP();
                if (!(entry & ENTRY_SPECIAL)) {
                    PUT();
                    LOOK_UP();
                    if (!(entry & ENTRY_SPECIAL)) {
                        PUT();
                        continue;
                    }
                }
            }
            // A match takes up to 48 bits.
            REFILL();
        }
        if (entry & ENTRY_EXCEPTION) {
            if (entry & ENTRY_TABLE) {
                USE(entry & 255);
                entry = literals[(entry >> 16) + (bits & ((1u << ENTRY_TABLE_BITS(entry)) - 1))];
                if (!(entry & ENTRY_SPECIAL)) {
                    PUT();
                    continue;
                }
            }
            if (entry & ENTRY_EXCEPTION) {
                USE(entry & 255);
                is_valid = !!(entry & ENTRY_END);
                inflater->stage = BLOCK_START;
                break;
            }
        }
        uint64_t before = bits;
        USE(entry & 255);
        size_t length = (entry >> 16) + ((before & (((uint64_t)1 << (entry & 255)) - 1)) >> ENTRY_CODE_BITS(entry));
        entry = distances[bits & ((1 << DISTANCE_BITS) - 1)];
        if (entry & ENTRY_EXCEPTION) {
            USE(entry & 255);
            if (entry & ENTRY_TABLE)
                entry = distances[(entry >> 16) + (bits & ((1u << ENTRY_TABLE_BITS(entry)) - 1))];
            if (entry & ENTRY_EXCEPTION) {
                is_valid = 0;
                break;
            }
        }
        before = bits;
        USE(entry & 255);
        size_t distance = (entry >> 16) + ((before & (((uint64_t)1 << (entry & 255)) - 1)) >> ENTRY_CODE_BITS(entry));
        if (distance > (size_t)(out - out_start)) {
            is_valid = 0;
            break;
        }
        copy_match(out, distance, length);
        out += length;
    }
#undef REFILL
#undef USE
#undef PUT
#undef LOOK_UP

    inflater->bits = bits;
    inflater->bit_count = bit_count;
    inflater->next = (size_t)(in - inflater->input);
    inflater->produced = (size_t)(out - out_start);
    // Bytes that were read ahead beyond the end must not have been used.
    return is_valid && inflater->next - bit_count / 8 <= inflater->end;
}

#if defined(__x86_64__)
__attribute__((target("bmi2"))) static int inflate_codes_bmi2(inflater *inflater) { return inflate_codes(inflater); }
#endif

static int inflate_coded(inflater *inflater) {
    need_input(inflater, 2 * INPUT_SLACK);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("bmi2")) return inflate_codes_bmi2(inflater);
#endif
    return inflate_codes(inflater);
}

static void update_checksum(inflater *inflater) {
    size_t count = inflater->produced - inflater->summed;
    inflater->checksum = libdeflate_adler32(inflater->checksum, inflater->output + inflater->summed, count);
    inflater->summed = inflater->produced;
}

static int end_stream(inflater *inflater) {
    if (!align(inflater) || !need_bits(inflater, 32)) return 0;
    update_checksum(inflater);
    inflater->stage = ENDED;
    return __builtin_bswap32(use_bits(inflater, 32)) == inflater->checksum;
}

// Discards output that was taken and is too far back to be referenced.
static void make_room(inflater *inflater) {
    update_checksum(inflater);
    size_t start = inflater->produced > WINDOW ? inflater->produced - WINDOW : 0;
    if (start > inflater->taken) start = inflater->taken;
    memmove(inflater->output, inflater->output + start, inflater->produced - start);
    inflater->produced -= start;
    inflater->taken -= start;
    inflater->summed -= start;
}

// Performs one step. Returns 0 if none is possible.
static int advance(inflater *inflater) {
    if (inflater->produced >= inflater->capacity) make_room(inflater);
    int is_valid = 0;
    switch (inflater->stage) {
    case STREAM_START: is_valid = start_stream(inflater); break;
    case BLOCK_START: is_valid = start_block(inflater); break;
    case STORED: is_valid = copy_stored(inflater); break;
    case CODED: is_valid = inflate_coded(inflater); break;
    case STREAM_END: is_valid = end_stream(inflater); break;
    case ENDED: return 0;
    case BROKEN: break;
    }
    if (!is_valid) inflater->stage = BROKEN;
    return is_valid;
}

const uint8_t *inflater_take(inflater *inflater, size_t count) {
    while (inflater->produced - inflater->taken < count)
        if (!advance(inflater)) return NULL;
    inflater->taken += count;
    return inflater->output + inflater->taken - count;
}

int inflater_ends(inflater *inflater) {
    while (inflater->produced == inflater->taken && advance(inflater)) {}
    return inflater->stage == ENDED && inflater->produced == inflater->taken;
}

size_t inflater_window(inflater *inflater) {
    if (inflater->stage == STREAM_START) advance(inflater);
    return inflater->stage == BROKEN ? 0 : inflater->window;
}
