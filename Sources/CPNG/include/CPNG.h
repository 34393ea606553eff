#pragma once

#include <stddef.h>
#include <stdint.h>

// libpng without its longjmp: every call that can fail answers one of these.
enum {
    CPNG_OK = 0,
    // The bytes end too early.
    CPNG_INCOMPLETE = 1,
    // The bytes are wrong; `*_message` says how.
    CPNG_FAILED = 2,
    // Nothing yet: the same must be asked again. So can cancellation be.
    CPNG_AGAIN = 3,
    // Reading or writing was to end here: see `cpng_reader_watch`, and `byte_limit` of a file that is written.
    CPNG_STOPPED = 4,
};

// Values of `color_type`.
enum {
    CPNG_GRAY = 0,
    CPNG_RGB = 2,
    CPNG_PALETTE = 3,
    CPNG_GRAY_ALPHA = 4,
    CPNG_RGB_ALPHA = 6,
};

// What stands before the pixels.
typedef struct {
    uint32_t width, height;
    int bit_depth, color_type;
    // Whether pixels have alpha, of their own or by tRNS.
    int has_alpha;
    int is_interlaced;
    // The ICC profile, which lives as long as the reader; NULL when there is none.
    const uint8_t *profile;
    size_t profile_count;
} cpng_header;

// Reads one file from memory.
typedef struct cpng_reader cpng_reader;

// A reader of `bytes`, which must outlive it; NULL when there is no memory.
cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count);
void cpng_reader_destroy(cpng_reader *reader);
const char *cpng_reader_message(const cpng_reader *reader);

// Asks whether to stop, also within a row: that may take all bytes there are. Each time some of them were read.
typedef int cpng_is_stopped(void *context);

// Makes calls end with CPNG_STOPPED once `is_stopped` answers 1. `context` must outlive the reader.
void cpng_reader_watch(cpng_reader *reader, cpng_is_stopped *is_stopped, void *context);

// Reads up to the pixels, once. A picture larger than the bounds fails.
// Chunks that no pixel needs are skipped, and so is the profile unless `keeps_profile`.
int cpng_read_header(
    cpng_reader *reader, uint32_t max_width, uint32_t max_height, int keeps_profile, cpng_header *header);

// Makes ready for `*pass_count` passes over all rows, top to bottom.
// After the last pass, rows are RGBA8 with straight alpha.
int cpng_start_rows(cpng_reader *reader, int *pass_count);

// The same by libpng alone, which is slower and answers no CPNG_AGAIN; nothing else may be different.
int cpng_start_plain_rows(cpng_reader *reader, int *pass_count);

// Whether libpng has read no row so far, after the first.
int cpng_reader_is_fast(const cpng_reader *reader);

// Reads the next row of a pass into `row`, 4 bytes a pixel, which must hold what the pass before left there.
// It may answer CPNG_AGAIN.
int cpng_read_row(cpng_reader *reader, uint8_t *row);

// Takes the rows of a file that comes in pieces.
typedef struct {
    void *context;
    // Memory of the whole picture, zero at first, the same for all pieces; NULL when whole rows are enough.
    uint8_t *pixels;
    // Called with each row that has come or become sharper in a `pass`, and it all stops unless it answers 0.
    int (*take_row)(void *context, uint32_t y, int pass, const uint8_t *row);
} cpng_sink;

// Reads one file that comes in pieces.
typedef struct cpng_feeder cpng_feeder;

// A reader of a file that must have this size; NULL when there is no memory.
cpng_feeder *cpng_feeder_create(uint32_t width, uint32_t height, int checks_crc);
void cpng_feeder_destroy(cpng_feeder *feeder);
const char *cpng_feeder_message(const cpng_feeder *feeder);

// Reads the next bytes, from the signature on. After a failure there is no next.
// What is no chunk of pixels should come whole: libpng keeps parts of it, and copies them each time.
int cpng_feed(cpng_feeder *feeder, const uint8_t *bytes, size_t count, const cpng_sink *sink);

// Whether pixels have alpha; known from the first row on.
int cpng_feeder_has_alpha(const cpng_feeder *feeder);

// Whether all rows of all passes have come.
int cpng_feeder_is_complete(const cpng_feeder *feeder);

// Whether something was amiss that this way of reading lets pass, and the other perhaps not.
int cpng_feeder_has_warned(const cpng_feeder *feeder);

// Memory of `count` bytes, zero at first; NULL when there is none.
uint8_t *cpng_picture_create(size_t count);
void cpng_picture_destroy(uint8_t *picture, size_t count);

// The checksum of chunks (CRC-32), continued from that of the bytes before; 0 for none.
uint32_t cpng_crc(uint32_t crc, const uint8_t *bytes, size_t count);

// How a row is made smaller before it is compressed: each byte less what stands to the left, above, the mean of both,
// or what Paeth's rule takes for nearest.
enum {
    CPNG_FILTER_NONE = 0,
    CPNG_FILTER_SUB = 1,
    CPNG_FILTER_UP = 2,
    CPNG_FILTER_AVERAGE = 3,
    CPNG_FILTER_PAETH = 4,
};

// Makes the `count` bytes of `row` of those in `source`, which are filtered, and of the row above. Pixels have `step`
// bytes, up to 8. Of each row 8 bytes more are touched.
void cpng_unfilter(int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count);

// The same without instructions of one processor only.
void cpng_unfilter_portable(
    int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count);

// Filters the `count` bytes of `row` with the filter whose bytes have the least sum when they count as signed numbers
// without their sign, as PNG's specification proposes. Writes the filter and the bytes to `target`. Before `row` and
// `above` stand `step` zeros.
void cpng_filter(size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count);

// The same without instructions of one processor only.
void cpng_filter_portable(size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count);

// Makes RGBA pixels of `count` opaque ones of three bytes.
void cpng_add_alpha(uint8_t *rgba, const uint8_t *rgb, size_t count);

// Writes one file into memory.
typedef struct cpng_writer cpng_writer;

// NULL when there is no memory.
cpng_writer *cpng_writer_create(void);
void cpng_writer_destroy(cpng_writer *writer);
const char *cpng_writer_message(const cpng_writer *writer);

// What is written before the pixels.
typedef struct {
    uint32_t width, height;
    // CPNG_GRAY, CPNG_RGB, CPNG_PALETTE or CPNG_RGB_ALPHA.
    int color_type;
    // From 0 to 9.
    int level;
    // Of a palette: up to 256 colours, 4 bytes each, those that are not opaque first. `has_alpha` makes it have
    // transparency even if all are.
    const uint8_t *palette;
    int palette_count, has_alpha;
    // NULL for none.
    const uint8_t *profile, *exif;
    size_t profile_count, exif_count;
    // A file of more bytes ends in CPNG_STOPPED.
    size_t byte_limit;
} cpng_written_header;

// Writes all that stands before the pixels.
int cpng_write_header(cpng_writer *writer, const cpng_written_header *header);

// Writes the next row: of grey and palettes a byte a pixel, else RGBA8 with straight alpha, which RGB leaves out.
int cpng_write_row(cpng_writer *writer, const uint8_t *row);

// Ends the file, and hands over its bytes: the caller frees them.
int cpng_finish(cpng_writer *writer, uint8_t **bytes, size_t *count);

// The version of libpng that is loaded, and that of libdeflate when this was built; it does not tell its own.
const char *cpng_libpng_version(void);
const char *cpng_libdeflate_version(void);
