#include "inflate.h"
#include "bound.h"
#include "huffman.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// docs/performance.md compares this with the libraries that could replace it. zlib and zlib-ng are slower; libdeflate
// needs memory for the whole image; ISA-L is as fast, but accepts streams that zlib, and therefore libpng, rejects.

// The maximum distance of a reference.
#define WINDOW ((size_t)1 << 15)
// The number of bytes inflated between two moves of the window.
#define PORTION ((size_t)1 << 16)
// The maximum number of bytes that one iteration of `inflate_codes` may write beyond its bound: three lookups of two
// literals, a match of 258 bytes, and 15 more bytes of its last word.
#define OUTPUT_SLACK (3 * 2 + 258 + 15)
// The number of bytes that may be read after the output.
#define READABLE_SLACK 32
#define INPUT_COUNT ((size_t)1 << 16)
// An upper bound of the number of bytes that one iteration of `inflate_codes` may read: it reads two words.
#define INPUT_SLACK 32
// An upper bound of the size of a block header.
#define HEADER_COUNT 1024
// The maximum number of bytes that may be un-read.
#define UNREAD_COUNT 8

typedef enum { STREAM_START, BLOCK_START, STORED, CODED, STREAM_END, ENDED, TRUNCATED, INVALID } stage;

struct inflater {
    inflater_source *source;
    void *context;
    stage stage;
    int is_last_block, has_all_input;
    // Whether the current step needs more input than there is.
    int lacks_input;
    // Whether the tables are those of the fixed codes, so that a stream of many small blocks need not fill them each
    // time.
    int has_fixed_codes;
    size_t stored_count, window, max_taken;
    uint32_t checksum;
    // The bits read but not used, the next one lowest. Higher bits may hold bits of the input at `next`.
    uint64_t bits;
    unsigned bit_count;
    // The position of the next input byte, the end of the input, and the capacity of the input buffer; and the position
    // of the buffer in the stream.
    size_t next, end, input_count, input_start;
    // The end of the output, the end of the bytes taken, the end of the bytes checksummed, and the capacity.
    size_t produced, taken, summed, capacity;
    uint8_t *output;
    uint32_t literals[LITERAL_ENTRY_COUNT], distances[DISTANCE_ENTRY_COUNT];
    uint8_t input[INPUT_COUNT];
};

inflater *inflater_create(size_t max_taken, inflater_source *source, void *context) {
    size_t capacity;
    if (__builtin_add_overflow(max_taken, WINDOW + PORTION, &capacity)) return NULL;
    if (capacity > SIZE_MAX - OUTPUT_SLACK - READABLE_SLACK) return NULL;
    inflater *inflater = malloc(sizeof *inflater);
    uint8_t *output = malloc(capacity + OUTPUT_SLACK + READABLE_SLACK);
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
    inflater->max_taken = max_taken;
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

// Reads input until `count` bytes, up to HEADER_COUNT, or the end of the stream are available.
static void need_input(inflater *inflater, size_t count) {
    if (inflater->has_all_input || inflater->end - inflater->next >= count) return;
    // Bytes that were read ahead may be un-read.
    size_t start = inflater->next < UNREAD_COUNT ? 0 : inflater->next - UNREAD_COUNT;
    inflater->end -= start;
    inflater->next -= start;
    inflater->input_start += start;
    // `end` is at most UNREAD_COUNT + HEADER_COUNT - 1, less than the smallest `input_count`.
    BOUND(inflater->next <= inflater->end && inflater->end < inflater->input_count);
    memmove(inflater->input, inflater->input + start, inflater->end);
    size_t free = inflater->input_count - inflater->end;
    size_t got = inflater->source(inflater->context, inflater->input + inflater->end, free);
    inflater->end += got;
    BOUND(inflater->end <= inflater->input_count && inflater->input_count <= INPUT_COUNT);
    inflater->has_all_input = got < free;
}

// Whether `count` bits, up to 56, are available. They are then the lowest ones. Otherwise the available ones are, and
// the higher ones are zeros.
static int need_bits(inflater *inflater, unsigned count) {
    while (inflater->bit_count < count) {
        need_input(inflater, 1);
        inflater->lacks_input = inflater->next == inflater->end;
        if (inflater->lacks_input) return 0;
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

// Skips to the next byte boundary. Bytes that were read ahead are un-read.
static void align(inflater *inflater) {
    // At most 7 bytes: `need_input` leaves as many before `next`, unless the stream starts there.
    BOUND(inflater->bit_count / 8 <= inflater->next);
    inflater->next -= inflater->bit_count / 8;
    inflater->bits = inflater->bit_count = 0;
}

static int start_stream(inflater *inflater) {
    if (!need_bits(inflater, 16)) return 0;
    unsigned method = use_bits(inflater, 8), flags = use_bits(inflater, 8);
    inflater->window = (size_t)1 << (8 + (method >> 4));
    inflater->stage = BLOCK_START;
    if ((method & 15) != 8 || inflater->window > WINDOW || (method << 8 | flags) % 31) return 0;
    if (!(flags & 32)) return 1;
    // There is no dictionary for the identifier that follows.
    need_bits(inflater, 32);
    return 0;
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

// Reads the lengths of the code length code.
static int read_length_codes(inflater *inflater, uint32_t *table) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[19] = {0};
    // Four bits: up to 19.
    unsigned count = 4 + use_bits(inflater, 4);
    for (unsigned n = 0; n < count; n++) {
        if (!need_bits(inflater, 3)) return 0;
        BOUND(n < sizeof order);
        lengths[order[n]] = use_bits(inflater, 3);
    }
    return fill_lengths(table, lengths);
}

// Reads the code lengths of a dynamic block and fills the tables.
static int read_codes(inflater *inflater) {
    uint32_t table[LENGTH_ENTRY_COUNT];
    uint8_t lengths[286 + 30] = {0};
    inflater->has_fixed_codes = 0;
    if (!need_bits(inflater, 14)) return 0;
    unsigned literal_count = 257 + use_bits(inflater, 5), distance_count = 1 + use_bits(inflater, 5);
    unsigned count = literal_count + distance_count;
    if (literal_count > 286 || distance_count > 30 || !read_length_codes(inflater, table)) return 0;
    for (unsigned n = 0; n < count;) {
        // A code and its extra bits. The last ones of a truncated stream may be shorter.
        need_bits(inflater, 14);
        uint32_t entry = table[inflater->bits & (LENGTH_ENTRY_COUNT - 1)];
        unsigned symbol = entry >> 16, extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
        inflater->lacks_input = inflater->bit_count < (entry & 15) + extra;
        if (inflater->lacks_input) return 0;
        use_bits(inflater, entry & 15);
        if (symbol < 16) {
            BOUND(n < count && count <= sizeof lengths);
            lengths[n++] = symbol;
            continue;
        }
        if (symbol == 16 && !n) return 0;
        uint8_t value = symbol == 16 ? lengths[n - 1] : 0;
        unsigned repeats = (symbol == 18 ? 11 : 3) + use_bits(inflater, extra);
        if (repeats > count - n) return 0;
        BOUND(n + repeats <= count && count <= sizeof lengths);
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
        align(inflater);
        if (!need_bits(inflater, 32)) return 0;
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
    // `advance` has made room. `need_bits` has left no bits, so that `next` is the next byte of the block.
    BOUND(inflater->produced < inflater->capacity && count <= inflater->capacity - inflater->produced);
    memcpy(inflater->output + inflater->produced, inflater->input + inflater->next, count);
    inflater->produced += count;
    inflater->next += count;
    inflater->stored_count -= count;
    if (!inflater->stored_count) inflater->stage = BLOCK_START;
    inflater->lacks_input = !count && inflater->stored_count;
    return !inflater->lacks_input;
}

static inline uint64_t word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

// Copies `count` bytes from `distance` bytes before `target`. May write up to 15 bytes more, because the last store may
// begin at the last byte.
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

// Decodes symbols until the block ends, the output is full or fewer than INPUT_SLACK bytes of input are left. Requires
// as many. Returns 0 for invalid data.
static inline __attribute__((always_inline)) int inflate_codes(inflater *inflater) {
    const uint32_t *literals = inflater->literals, *distances = inflater->distances;
    BOUND(inflater->end - inflater->next >= INPUT_SLACK);
    const uint8_t *in = inflater->input + inflater->next, *in_bound = inflater->input + inflater->end - INPUT_SLACK;
    uint8_t *out = inflater->output + inflater->produced;
    uint8_t *const out_start = inflater->output, *const out_bound = inflater->output + inflater->capacity;
    uint64_t bits = inflater->bits;
    unsigned bit_count = inflater->bit_count;
    int is_valid = 1;

// Refills `bits` to at least 56 bits. It reads 8 bytes and moves by 7 at most, twice in an iteration: INPUT_SLACK bytes
// are enough.
#define REFILL()                                                                                                       \
    (BOUND(in + 8 <= inflater->input + inflater->end), bits |= word(in) << bit_count, in += (63 - bit_count) >> 3,     \
     bit_count |= 56)
#define USE(count) (bits >>= (count), bit_count -= (count))
// Stores one or two literals; always writes two bytes. An iteration stores at most four times, or three times and a
// match: OUTPUT_SLACK bytes are enough.
#define PUT()                                                                                                          \
    (BOUND(out + 2 <= out_bound + OUTPUT_SLACK), out[0] = (uint8_t)(entry >> 16), out[1] = (uint8_t)(entry >> 24),     \
     out += ENTRY_LITERAL_COUNT(entry), USE(ENTRY_BITS(entry)))
// Four lookups use 48 bits at most.
#define LOOK_UP() (entry = literals[bits & ((1 << LITERAL_BITS) - 1)])
// The base length or distance plus the extra bits.
#define VALUE(bits)                                                                                                    \
    ((entry >> 16) + (((bits) & (((uint64_t)1 << ENTRY_BITS(entry)) - 1)) >> ENTRY_CODE_BITS(entry)))

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
                USE(ENTRY_BITS(entry));
                entry = literals[(entry >> 16) + (bits & ((1u << ENTRY_TABLE_BITS(entry)) - 1))];
                if (!(entry & ENTRY_SPECIAL)) {
                    PUT();
                    continue;
                }
            }
            if (entry & ENTRY_EXCEPTION) {
                USE(ENTRY_BITS(entry));
                is_valid = !!(entry & ENTRY_END);
                inflater->stage = BLOCK_START;
                break;
            }
        }
        uint64_t before = bits;
        USE(ENTRY_BITS(entry));
        size_t length = VALUE(before);
        entry = distances[bits & ((1 << DISTANCE_BITS) - 1)];
        if (entry & ENTRY_EXCEPTION) {
            USE(ENTRY_BITS(entry));
            if (entry & ENTRY_TABLE)
                entry = distances[(entry >> 16) + (bits & ((1u << ENTRY_TABLE_BITS(entry)) - 1))];
            if (entry & ENTRY_EXCEPTION) {
                is_valid = 0;
                break;
            }
        }
        before = bits;
        USE(ENTRY_BITS(entry));
        size_t distance = VALUE(before);
        if (distance > (size_t)(out - out_start)) {
            is_valid = 0;
            break;
        }
        // The bytes before `out` are those of the window: `make_room` keeps as many as a distance can be.
        BOUND(length <= 258 && out + length + 15 <= out_bound + OUTPUT_SLACK);
        copy_match(out, distance, length);
        out += length;
    }
#undef REFILL
#undef USE
#undef PUT
#undef LOOK_UP
#undef VALUE

    inflater->bits = bits;
    inflater->bit_count = bit_count;
    inflater->next = (size_t)(in - inflater->input);
    inflater->produced = (size_t)(out - out_start);
    return is_valid;
}

#if defined(__x86_64__)
__attribute__((target("bmi2"))) static int inflate_codes_bmi2(inflater *inflater) { return inflate_codes(inflater); }
#endif

// Whether `count` bits are available without more input.
static int has_bits(inflater *inflater, unsigned count) {
    inflater->lacks_input = inflater->bit_count < count;
    return !inflater->lacks_input;
}

// Finds the entry of the next code, in a subtable if necessary. Returns 0, which is no entry, if the input ends before.
static uint32_t look_up(inflater *inflater, const uint32_t *table, unsigned table_bits) {
    uint32_t entry = table[inflater->bits & ((1u << table_bits) - 1)];
    if (!(entry & ENTRY_SPECIAL) || !(entry & ENTRY_EXCEPTION) || !(entry & ENTRY_TABLE)) return entry;
    if (!has_bits(inflater, table_bits)) return 0;
    use_bits(inflater, table_bits);
    return table[(entry >> 16) + (inflater->bits & ((1u << ENTRY_TABLE_BITS(entry)) - 1))];
}

// Returns the base value of a length or distance plus its extra bits.
static size_t use_value(inflater *inflater, uint32_t entry) {
    uint64_t bits = inflater->bits & (((uint64_t)1 << ENTRY_BITS(entry)) - 1);
    use_bits(inflater, ENTRY_BITS(entry));
    return (entry >> 16) + (bits >> ENTRY_CODE_BITS(entry));
}

// Copies the match whose length is `entry`.
static int inflate_match(inflater *inflater, uint32_t entry) {
    size_t length = use_value(inflater, entry);
    entry = look_up(inflater, inflater->distances, DISTANCE_BITS);
    if (!entry || !has_bits(inflater, ENTRY_BITS(entry)) || entry & ENTRY_EXCEPTION) return 0;
    size_t distance = use_value(inflater, entry);
    if (distance > inflater->produced) return 0;
    BOUND(length <= 258 && inflater->produced < inflater->capacity && 258 + 15 <= OUTPUT_SLACK);
    copy_match(inflater->output + inflater->produced, distance, length);
    inflater->produced += length;
    return 1;
}

// Decodes one symbol near the end of the input. Returns 0 for invalid data, or if the input ends before.
static int inflate_symbol(inflater *inflater) {
    // A match takes up to 48 bits.
    need_bits(inflater, 48);
    uint32_t entry = look_up(inflater, inflater->literals, LITERAL_BITS);
    if (!entry) return 0;
    int is_literal = !(entry & ENTRY_SPECIAL);
    // The second one of two literals may be beyond the end.
    unsigned count = is_literal ? ENTRY_FIRST_LITERAL_BITS(entry) : ENTRY_BITS(entry);
    if (!has_bits(inflater, count)) return 0;
    if (!is_literal && !(entry & ENTRY_EXCEPTION)) return inflate_match(inflater, entry);
    use_bits(inflater, count);
    if (is_literal) {
        BOUND(inflater->produced < inflater->capacity);
        inflater->output[inflater->produced++] = entry >> 16 & 255;
        return 1;
    }
    inflater->stage = BLOCK_START;
    return !!(entry & ENTRY_END);
}

static int inflate_coded(inflater *inflater) {
    need_input(inflater, 2 * INPUT_SLACK);
    if (inflater->end - inflater->next < INPUT_SLACK) return inflate_symbol(inflater);
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
    align(inflater);
    if (!need_bits(inflater, 32)) return 0;
    update_checksum(inflater);
    inflater->stage = ENDED;
    return __builtin_bswap32(use_bits(inflater, 32)) == inflater->checksum;
}

// Discards output that was taken and is too far back to be referenced.
static void make_room(inflater *inflater) {
    update_checksum(inflater);
    size_t start = inflater->produced > WINDOW ? inflater->produced - WINDOW : 0;
    if (start > inflater->taken) start = inflater->taken;
    // Fewer than `max_taken` bytes are not taken yet, so a portion of the capacity becomes free.
    BOUND(inflater->produced - start <= inflater->max_taken + WINDOW);
    memmove(inflater->output, inflater->output + start, inflater->produced - start);
    inflater->produced -= start;
    inflater->taken -= start;
    inflater->summed -= start;
}

// Performs one step. Returns 0 if none is possible.
static int advance(inflater *inflater) {
    if (inflater->produced >= inflater->capacity) make_room(inflater);
    inflater->lacks_input = 0;
    int is_valid = 0;
    switch (inflater->stage) {
    case STREAM_START: is_valid = start_stream(inflater); break;
    case BLOCK_START: is_valid = start_block(inflater); break;
    case STORED: is_valid = copy_stored(inflater); break;
    case CODED: is_valid = inflate_coded(inflater); break;
    case STREAM_END: is_valid = end_stream(inflater); break;
    case ENDED:
    case TRUNCATED:
    case INVALID: return 0;
    }
    if (!is_valid) inflater->stage = inflater->lacks_input ? TRUNCATED : INVALID;
    return is_valid;
}

const uint8_t *inflater_take(inflater *inflater, size_t count) {
    if (count > inflater->max_taken) return NULL;
    // The step that finds an invalid code may have produced enough before.
    while (inflater->produced - inflater->taken < count && advance(inflater)) {}
    if (inflater->produced - inflater->taken < count) return NULL;
    inflater->taken += count;
    // `produced` exceeds the capacity by less than OUTPUT_SLACK.
    BOUND(inflater->taken + READABLE_SLACK <= inflater->capacity + OUTPUT_SLACK + READABLE_SLACK);
    return inflater->output + inflater->taken - count;
}

int inflater_ends(inflater *inflater) {
    while (inflater->produced == inflater->taken && advance(inflater)) {}
    return inflater->stage == ENDED && inflater->produced == inflater->taken;
}

size_t inflater_window(inflater *inflater) {
    if (inflater->stage == STREAM_START) advance(inflater);
    return inflater->stage == TRUNCATED || inflater->stage == INVALID ? 0 : inflater->window;
}

inflater_end inflater_result(const inflater *inflater) {
    switch (inflater->stage) {
    case ENDED: return INFLATER_ENDED;
    case TRUNCATED: return INFLATER_TRUNCATED;
    case INVALID: return INFLATER_INVALID;
    default: return INFLATER_CONTINUES;
    }
}

size_t inflater_used_count(const inflater *inflater) {
    return inflater->input_start + inflater->next - inflater->bit_count / 8;
}
