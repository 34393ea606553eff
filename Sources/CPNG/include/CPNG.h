#pragma once

#include <stddef.h>
#include <stdint.h>

// libpng without its longjmp. Every function that can fail returns one of these codes.
enum {
    CPNG_OK = 0,
    // The input ends too early.
    CPNG_INCOMPLETE = 1,
    // The input is invalid; `*_message` returns the reason.
    CPNG_FAILED = 2,
    // No result yet; repeat the call. The caller may check for cancellation in between.
    CPNG_AGAIN = 3,
    // The operation was stopped: see `cpng_reader_set_is_stopped`, and `byte_limit` of cpng_written_header.
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

// The information before the pixels.
typedef struct {
    uint32_t width, height;
    int bit_depth, color_type;
    // Whether pixels have alpha, from an alpha channel or from tRNS.
    int has_alpha;
    int is_interlaced;
    // The ICC profile, valid as long as the reader; NULL if there is none.
    const uint8_t *profile;
    size_t profile_count;
    // Whether a profile was ignored because it describes other colours than the pixels.
    int has_profile_of_other_colors;
} cpng_header;

// A reader of one file in memory.
typedef struct cpng_reader cpng_reader;

// Creates a reader of `bytes`, which must outlive it. Returns NULL when memory is exhausted.
cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count);
void cpng_reader_destroy(cpng_reader *reader);
const char *cpng_reader_message(const cpng_reader *reader);

// Returns whether to stop. It is called each time a portion of the input was read, also within a row, since one row may
// consume the whole input.
typedef int cpng_is_stopped(void *context);

// Makes calls end with CPNG_STOPPED once `is_stopped` returns 1. `context` must outlive the reader.
void cpng_reader_set_is_stopped(cpng_reader *reader, cpng_is_stopped *is_stopped, void *context);

// Converts `count` pixels of four native 16-bit values each, `deep`, to RGBA8.
typedef void cpng_convert(void *context, const uint16_t *deep, uint8_t *rgba, size_t count);

// Makes rows with 16 bits per channel pass through `convert`, before rows are started. `context` must outlive the reader.
void cpng_reader_set_convert(cpng_reader *reader, cpng_convert *convert, void *context);

// Replaces the start of the file up to `body_start` with `head`, which must outlive the reader, before the header is
// read.
void cpng_reader_set_head(cpng_reader *reader, const uint8_t *head, size_t count, size_t body_start);

// Makes rows acceptable, which libpng then reads, in spite of a wrong or missing end of the compressed stream, and of
// references beyond the declared window, before the header is read. Errors in the pixels themselves remain errors.
void cpng_reader_tolerate(cpng_reader *reader);

// Whether a failure to read rows may be one that `cpng_reader_tolerate` avoids.
int cpng_reader_is_tolerable(const cpng_reader *reader);

// Reads up to the pixels; call it once. An image larger than the bounds is an error. Chunks that do not affect pixels
// are skipped, as is the profile unless `keeps_profile`.
int cpng_read_header(
    cpng_reader *reader, uint32_t max_width, uint32_t max_height, int keeps_profile, cpng_header *header);

// Prepares for `*pass_count` passes over all rows, top to bottom. After the last pass, rows are RGBA8 with straight
// alpha.
int cpng_start_rows(cpng_reader *reader, int *pass_count);

// Like `cpng_start_rows`, but with libpng alone, which is slower and never returns CPNG_AGAIN. The results are the
// same.
int cpng_start_libpng_rows(cpng_reader *reader, int *pass_count);

// Whether, after the first row, libpng has not been used for any row so far.
int cpng_reader_is_fast(const cpng_reader *reader);

// Reads the next row of a pass into `row`, 4 bytes per pixel, which must hold the result of the previous pass. It may
// return CPNG_AGAIN.
int cpng_read_row(cpng_reader *reader, uint8_t *row);

// Receives the rows of a file that arrives in pieces.
typedef struct {
    void *context;
    // Memory for the whole image, initially zero and the same for all pieces, or NULL if separate complete rows are
    // enough.
    uint8_t *pixels;
    // Called with each row that arrived or was refined in `pass`. Any result but 0 stops reading.
    int (*take_row)(void *context, uint32_t y, int pass, const uint8_t *row);
} cpng_sink;

// A push reader of one file that arrives in pieces.
typedef struct cpng_feeder cpng_feeder;

// Creates a reader of a file that must have the given size. Returns NULL when memory is exhausted. `checks_sums` is
// whether to verify checksums, those of chunks and that of the compressed stream.
cpng_feeder *cpng_feeder_create(uint32_t width, uint32_t height, int checks_sums);
void cpng_feeder_destroy(cpng_feeder *feeder);
const char *cpng_feeder_message(const cpng_feeder *feeder);

// Makes rows with 16 bits per channel pass through `convert`, before anything is read. `context` must outlive the feeder.
void cpng_feeder_set_convert(cpng_feeder *feeder, cpng_convert *convert, void *context);

// Reads the next bytes, beginning with the signature. After a failure it must not be called again. Chunks other than
// IDAT should arrive in one piece, because libpng buffers incomplete ones and copies them each time.
int cpng_feed(cpng_feeder *feeder, const uint8_t *bytes, size_t count, const cpng_sink *sink);

// Whether pixels have alpha. Valid from the first row on.
int cpng_feeder_has_alpha(const cpng_feeder *feeder);

// Whether all rows of all passes have arrived.
int cpng_feeder_is_complete(const cpng_feeder *feeder);

// Whether libpng issued a warning, for damage that another way of reading may reject.
int cpng_feeder_has_warned(const cpng_feeder *feeder);

// Allocates `count` zeroed bytes. Returns NULL when memory is exhausted.
uint8_t *cpng_picture_create(size_t count);
void cpng_picture_destroy(uint8_t *picture, size_t count);

// Returns the CRC-32 of chunks, continuing from `crc`, that of the preceding bytes (0 at the start).
uint32_t cpng_crc(uint32_t crc, const uint8_t *bytes, size_t count);

// The filters applied to a row before compression. Each byte is replaced with its difference from the byte to the left,
// the byte above, the mean of both, or the Paeth predictor.
enum {
    CPNG_FILTER_NONE = 0,
    CPNG_FILTER_SUB = 1,
    CPNG_FILTER_UP = 2,
    CPNG_FILTER_AVERAGE = 3,
    CPNG_FILTER_PAETH = 4,
};

// Reconstructs the `count` bytes of `row` from the filtered bytes in `source` and the row above. Pixels have `step`
// bytes, up to 8. Up to 8 bytes beyond each row are accessed.
void cpng_unfilter(int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count);

// Like `cpng_unfilter`, without processor-specific instructions.
void cpng_unfilter_portable(
    int filter, size_t step, uint8_t *row, const uint8_t *source, const uint8_t *above, size_t count);

// Filters the `count` bytes of `row` with the filter that has the smallest sum of absolute differences, each counted as
// 32 at most. Without that limit, it is the heuristic that the PNG specification recommends. Writes the filter type and the bytes to `target`. `row` and `above` must be
// preceded by `step` zeros.
void cpng_filter(size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count);

// Like `cpng_filter`, without processor-specific instructions.
void cpng_filter_portable(size_t step, uint8_t *target, const uint8_t *row, const uint8_t *above, size_t count);

// Converts `count` opaque pixels of three bytes to RGBA.
void cpng_add_alpha(uint8_t *rgba, const uint8_t *rgb, size_t count);

// A writer of one file into memory.
typedef struct cpng_writer cpng_writer;

// Creates a writer. Returns NULL when memory is exhausted.
cpng_writer *cpng_writer_create(void);
void cpng_writer_destroy(cpng_writer *writer);
const char *cpng_writer_message(const cpng_writer *writer);

// The information written before the pixels.
typedef struct {
    uint32_t width, height;
    // Any of the values above.
    int color_type;
    // The compression level, from 0 to 9.
    int level;
    // The palette: up to 256 colours of 4 bytes each, those that are not opaque first. With `has_alpha` a tRNS chunk is
    // written even if all colours are opaque.
    const uint8_t *palette;
    int palette_count, has_alpha;
    // Whether the palette was reduced. Its indices hardly repeat, so a slower and better compression is worth its time.
    int has_reduced_palette;
    // NULL if absent. The text consists of complete chunks.
    const uint8_t *profile, *exif, *text;
    size_t profile_count, exif_count, text_count;
    // The maximum size of the file. A larger one ends with CPNG_STOPPED.
    size_t byte_limit;
} cpng_written_header;

// Writes everything before the pixels.
int cpng_write_header(cpng_writer *writer, const cpng_written_header *header);

// Whether the profile of the header was written, and not left out as broken.
int cpng_writer_has_profile(const cpng_writer *writer);

// Writes the next row: one byte per pixel for grey and palettes, two for grey with alpha, else RGBA8 with straight
// alpha, which is dropped for CPNG_RGB.
int cpng_write_row(cpng_writer *writer, const uint8_t *row);

// Finishes the file and transfers ownership of its bytes: the caller frees them.
int cpng_finish(cpng_writer *writer, uint8_t **bytes, size_t *count);

// The version of the loaded libpng, and that of the libdeflate headers; libdeflate does not report its version at run
// time.
const char *cpng_libpng_version(void);
const char *cpng_libdeflate_version(void);
