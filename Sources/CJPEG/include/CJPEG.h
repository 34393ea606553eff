#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors by longjmp. Every call to it is made in this target, which catches the jump and answers a status:
// no frame but its own and libjpeg's is ever jumped over.

/// How a call ended. After anything but the first two only the message may be asked for, and the object destroyed.
typedef enum __attribute__((enum_extensibility(closed))) {
    CJPEGStatusDone,
    /// The bytes of a growing file ran out: lend more, and call again.
    CJPEGStatusSuspended,
    CJPEGStatusIncomplete,
    CJPEGStatusCorrupt,
    CJPEGStatusUnsupported,
    CJPEGStatusNoMemory,
    /// More scans, or more bytes written, than the options allow.
    CJPEGStatusOverLimit,
    CJPEGStatusCancelled,
} CJPEGStatus;

/// Decodes one file. Calls in order: create, lend, read header, start, read rows as often as wanted, destroy.
///
/// Of a growing file the bytes so far are lent again and again. When it has several scans, then between start and
/// destroy: read scans as often as wanted, start a pass, read all rows, and so on.
typedef struct CJPEGDecoder CJPEGDecoder;

typedef struct {
    uint32_t width, height;
    /// Bytes of coefficients that libjpeg holds for the whole picture; 0 when the picture comes in one scan.
    size_t coefficient_byte_count;
    /// Whether the file is coded arithmetically; of those none may grow, because libjpeg cannot wait there.
    bool is_arithmetic;
} CJPEGHeader;

typedef struct {
    /// The size of the output in eighths of the stored one, 1 to 8; sides are rounded up.
    int eighths;
    /// More scans than these end in `CJPEGStatusOverLimit`.
    int scan_limit;
    /// Whether pixels of inks come as four inks, 255 of which is the most, and not as RGBA.
    bool keeps_inks;
    /// Asked some times a second; true ends in `CJPEGStatusCancelled`. It must not jump.
    bool (*is_cancelled)(void *context);
    /// Must outlive the decoder.
    void *context;
} CJPEGDecodeOptions;

/// A decoder of a file that is all there, or is growing; null when there is no memory.
CJPEGDecoder *cjpeg_decoder_create(bool is_growing);
void cjpeg_decoder_destroy(CJPEGDecoder *decoder);

/// libjpeg's words about the last error.
const char *cjpeg_decoder_message(const CJPEGDecoder *decoder);

/// Lends the bytes so far, from the first one on, until they are lent again from another place.
CJPEGStatus cjpeg_decoder_lend(CJPEGDecoder *decoder, const uint8_t *bytes, size_t count);

/// How many of the lent bytes will be looked at again.
size_t cjpeg_decoder_unread_byte_count(const CJPEGDecoder *decoder);

CJPEGStatus cjpeg_decoder_read_header(CJPEGDecoder *decoder, CJPEGHeader *header);

/// Reads all scans when there are several, unless the file is growing.
CJPEGStatus cjpeg_decoder_start(CJPEGDecoder *decoder, const CJPEGDecodeOptions *options);

/// Writes the next `row_count` rows of opaque RGBA to `rgba`, packed; fewer when the bytes run out.
CJPEGStatus cjpeg_decoder_read_rows(CJPEGDecoder *decoder, uint8_t *rgba, uint32_t row_count);

/// How many rows of the picture, or of this pass over it, were read.
uint32_t cjpeg_decoder_row_count(const CJPEGDecoder *decoder);

/// Whether something was amiss that libjpeg passed over; ask before the bytes move.
bool cjpeg_decoder_is_damaged(CJPEGDecoder *decoder);

/// Reads on, in a growing file of several scans, to the end of a scan.
CJPEGStatus cjpeg_decoder_read_scan(CJPEGDecoder *decoder);

/// Whether the end of the last scan was read.
bool cjpeg_decoder_is_at_end(const CJPEGDecoder *decoder);

/// Begins to show the scans that were read, at least one, from the first row on; smoothed unless they are all.
CJPEGStatus cjpeg_decoder_start_pass(CJPEGDecoder *decoder);

/// Encodes one file. Calls in order: create, start, write rows until all are written, finish, destroy.
typedef struct CJPEGEncoder CJPEGEncoder;

typedef struct {
    uint32_t width, height;
    /// 1 to 100, as libjpeg counts.
    int quality;
    /// Whether chroma is stored at half the size (4:2:0), or whole (4:4:4).
    bool halves_chroma;
    /// Whether the picture is written in several scans, the first of which shows all of it.
    bool is_progressive;
    /// A file of more bytes ends in `CJPEGStatusOverLimit`, unless it is a short one.
    size_t byte_limit;
    /// The body of an APP1 segment, at most 65533 bytes, or no bytes.
    const uint8_t *exif;
    uint32_t exif_byte_count;
    /// An ICC profile, or no bytes.
    const uint8_t *profile;
    uint32_t profile_byte_count;
    /// Asked some times a second; true ends in `CJPEGStatusCancelled`. It must not jump.
    bool (*is_cancelled)(void *context);
    /// Must outlive the encoder.
    void *context;
} CJPEGEncodeOptions;

/// An encoder; null when there is no memory.
CJPEGEncoder *cjpeg_encoder_create(void);
void cjpeg_encoder_destroy(CJPEGEncoder *encoder);

/// libjpeg's words about the last error.
const char *cjpeg_encoder_message(const CJPEGEncoder *encoder);

CJPEGStatus cjpeg_encoder_start(CJPEGEncoder *encoder, const CJPEGEncodeOptions *options);

/// Takes the next `row_count` rows, packed, four bytes a pixel of which the last is ignored.
CJPEGStatus cjpeg_encoder_write_rows(CJPEGEncoder *encoder, const uint8_t *rgbx, uint32_t row_count);

/// Lends the file until the encoder is destroyed.
CJPEGStatus cjpeg_encoder_finish(CJPEGEncoder *encoder, const uint8_t **bytes, size_t *count);

/// Which libjpeg this was built with; the library itself does not tell.
const char *cjpeg_library_name(void);
const char *cjpeg_library_version(void);
