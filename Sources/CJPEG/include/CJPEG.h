#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors with longjmp. All calls to it are made in this target, which catches the jump and returns a
// status, so only frames of this target and of libjpeg are ever jumped over.

/// The outcome of a call. After any status but the first two, only the message may be read and the object destroyed.
typedef enum __attribute__((enum_extensibility(closed))) {
    CJPEGStatusDone,
    /// The input of a growing file ran out. Lend more bytes and repeat the call.
    CJPEGStatusSuspended,
    CJPEGStatusIncomplete,
    CJPEGStatusCorrupt,
    CJPEGStatusUnsupported,
    CJPEGStatusNoMemory,
    /// There are more scans, or more output bytes, than the options allow.
    CJPEGStatusOverLimit,
    CJPEGStatusCancelled,
} CJPEGStatus;

/// Decodes one file. Call in this order: create, lend, read header, start, read rows (repeatedly), destroy.
///
/// A growing file is lent again with all its bytes whenever more arrive. If it has several scans, then between start
/// and destroy: read any number of scans, start a pass, read all rows, and repeat.
typedef struct CJPEGDecoder CJPEGDecoder;

typedef struct {
    uint32_t width, height;
    /// The number of bytes of coefficients that libjpeg holds for the whole image; 0 for a single scan.
    size_t coefficient_byte_count;
    /// Whether the file uses arithmetic coding. Such a file cannot grow, because libjpeg cannot suspend in it.
    bool is_arithmetic;
} CJPEGHeader;

typedef struct {
    /// The output size in eighths of the stored size, from 1 to 8. Sides are rounded up.
    int eighths;
    /// The maximum number of scans. A file with more ends with `CJPEGStatusOverLimit`.
    int scan_limit;
    /// Whether CMYK pixels are returned as four inks, where 255 is full ink, instead of as RGBA.
    bool keeps_inks;
    /// The minimum number of bytes after the header with which a complete baseline file is decoded at one or two eighths
    /// of its size without libjpeg: faster, with the same pixels and errors. `SIZE_MAX` always uses libjpeg.
    size_t bypass_byte_count;
    /// Memory for the coefficients, `coefficient_byte_count` of the header, with any contents, which must outlive the
    /// decoder; or null, if libjpeg is to allocate it. It must be the same for each call.
    void *coefficients;
    size_t coefficient_byte_count;
    /// Called several times a second. Returning true ends the call with `CJPEGStatusCancelled`. It must not jump.
    bool (*is_cancelled)(void *context);
    /// Must outlive the decoder.
    void *context;
} CJPEGDecodeOptions;

/// Creates a decoder of a complete or a growing file. Returns null when memory is exhausted.
CJPEGDecoder *cjpeg_decoder_create(bool is_growing);
void cjpeg_decoder_destroy(CJPEGDecoder *decoder);

/// Returns libjpeg's message for the last error.
const char *cjpeg_decoder_message(const CJPEGDecoder *decoder);

/// Lends the bytes received so far, starting with the first one of the file, until the next call replaces them.
CJPEGStatus cjpeg_decoder_lend(CJPEGDecoder *decoder, const uint8_t *bytes, size_t count);

/// Returns the number of lent bytes that have not been consumed yet.
size_t cjpeg_decoder_unread_byte_count(const CJPEGDecoder *decoder);

CJPEGStatus cjpeg_decoder_read_header(CJPEGDecoder *decoder, CJPEGHeader *header);

/// Starts decoding. Reads all scans of a file with several, unless it is growing.
CJPEGStatus cjpeg_decoder_start(CJPEGDecoder *decoder, const CJPEGDecodeOptions *options);

/// Writes the next `row_count` rows to `rgba` as packed, opaque RGBA, or fewer when the input runs out, or before an end of
/// the image that comes too early, which is `CJPEGStatusIncomplete` in the next call.
CJPEGStatus cjpeg_decoder_read_rows(CJPEGDecoder *decoder, uint8_t *rgba, uint32_t row_count);

/// Whether the rows read so far were decoded without libjpeg. After a first irregular row, libjpeg decodes all of them.
bool cjpeg_decoder_bypasses_libjpeg(const CJPEGDecoder *decoder);

/// Returns the number of rows read from the image or, in buffered-image mode, in the current pass.
uint32_t cjpeg_decoder_row_count(const CJPEGDecoder *decoder);

/// Whether libjpeg tolerated damage in the file. Call it before the lent bytes move.
bool cjpeg_decoder_is_damaged(CJPEGDecoder *decoder);

/// Whether scans of a file with several, all of which has been read, are missing or incomplete, with or without an end
/// marker. What does not affect the pixels is not missed.
bool cjpeg_decoder_is_truncated(CJPEGDecoder *decoder);

/// Whether data in the middle of a scan were missing.
bool cjpeg_decoder_lacks_blocks(const CJPEGDecoder *decoder);

/// Returns libjpeg's first warning about damage that affects pixels; empty if there is none.
const char *cjpeg_decoder_damage(const CJPEGDecoder *decoder);

/// Reads a growing file with several scans up to the end of the next scan.
CJPEGStatus cjpeg_decoder_read_scan(CJPEGDecoder *decoder);

/// Whether the end of the last scan has been read.
bool cjpeg_decoder_is_at_end(const CJPEGDecoder *decoder);

/// Starts an output pass over the scans read so far, or over the rows of the first one read so far. The output is
/// smoothed unless all scans have been read.
CJPEGStatus cjpeg_decoder_start_pass(CJPEGDecoder *decoder);

/// Whether red, green and blue are equal in each of the pixels, which have four bytes. Stops soon after one where they
/// are not.
bool cjpeg_is_gray(const uint8_t *rgbx, size_t pixel_count);

/// Encodes one file. Call in this order: create, start, write rows until all are written, finish, destroy.
typedef struct CJPEGEncoder CJPEGEncoder;

typedef struct {
    uint32_t width, height;
    /// The quality on libjpeg's scale, from 1 to 100.
    int quality;
    /// Whether only luma is stored, in a single component.
    bool is_gray;
    /// The columns and rows of luma for each of chroma, from 1 to 2; ignored for a single component.
    int chroma_columns, chroma_rows;
    /// Whether the Huffman tables are made for this file, which requires all of its coefficients in memory.
    bool is_optimized;
    /// Whether the file is progressive: several scans, the first of which covers the whole image.
    bool is_progressive;
    /// The maximum size of the file. A larger one ends with `CJPEGStatusOverLimit`; short files may exceed it.
    size_t byte_limit;
    /// The body of an APP1 segment, at most 65533 bytes, or empty.
    const uint8_t *exif;
    uint32_t exif_byte_count;
    /// An ICC profile, or empty.
    const uint8_t *profile;
    uint32_t profile_byte_count;
    /// Called several times a second. Returning true ends the call with `CJPEGStatusCancelled`. It must not jump.
    bool (*is_cancelled)(void *context);
    /// Must outlive the encoder.
    void *context;
} CJPEGEncodeOptions;

/// Creates an encoder. Returns null when memory is exhausted.
CJPEGEncoder *cjpeg_encoder_create(void);
void cjpeg_encoder_destroy(CJPEGEncoder *encoder);

/// Returns libjpeg's message for the last error.
const char *cjpeg_encoder_message(const CJPEGEncoder *encoder);

CJPEGStatus cjpeg_encoder_start(CJPEGEncoder *encoder, const CJPEGEncodeOptions *options);

/// Encodes the next `row_count` packed rows of four bytes per pixel, the last of which is ignored.
CJPEGStatus cjpeg_encoder_write_rows(CJPEGEncoder *encoder, const uint8_t *rgbx, uint32_t row_count);

/// Finishes the file and lends its bytes until the encoder is destroyed.
CJPEGStatus cjpeg_encoder_finish(CJPEGEncoder *encoder, const uint8_t **bytes, size_t *count);

/// Whether the library decodes files with 12 bits per sample, whose rows then have 8.
bool cjpeg_decodes_12_bits(void);

/// The libjpeg headers that this target was built with. The loaded library does not report its version.
const char *cjpeg_library_name(void);
const char *cjpeg_library_version(void);
