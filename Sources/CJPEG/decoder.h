#pragma once

#include "arithmetic.h"
#include "coefficients.h"
#include "errors.h"
#include "reduced.h"
#include "scans.h"

/// What the frame header states. libjpeg overwrites it with a second frame header before it rejects that one, or before it
/// suspends there.
struct frame {
    JDIMENSION width, height;
    int precision, component_count;
    boolean is_progressive, is_arithmetic;
};

struct CJPEGDecoder {
    struct jpeg_decompress_struct cinfo;
    struct frame frame;
    struct errors errors;
    struct jpeg_source_mgr source;
    /// The bytes that `source` has not received yet. Empty unless some scans are to be dropped.
    struct scans scans;
    /// Divides those of an arithmetically coded file, which is complete.
    struct arithmetic arithmetic;
    struct jpeg_progress_mgr progress;
    CJPEGDecodeOptions options;
    /// Decodes the rows instead of libjpeg, unless it is null.
    struct reduced *reduced;
    /// The part of the caller's memory that is not in use yet.
    struct coefficients coefficients;
    /// Whether the header has been read, the input ran out, and an end of image was simulated at that point.
    bool is_started, is_exhausted, has_simulated_end;
    /// Whether the first scan has ended before its last block.
    bool has_ended;
    /// Whether a later scan has, and whether a scan lacked blocks somewhere else.
    bool is_cut, lacks_blocks;
    /// Whether scans without effect on the pixels are dropped.
    bool drops_scans;
    /// A row of 12 bits per sample, or null. libjpeg owns it.
    void *deep_row;
    /// The number of rows before the running call.
    uint32_t first_row;
    /// libjpeg's first warning about damage that affects pixels, or empty.
    char damage[JMSG_LENGTH_MAX];
    /// Whether more bytes may follow, in which case libjpeg suspends when the input runs out.
    bool is_growing;
    /// For a growing image with several scans: whether all scans have been read, and whether an output pass has
    /// started.
    bool is_at_end, is_in_pass;
    /// The number of lent bytes, and the number of bytes still to be skipped once they arrive.
    size_t lent_count, skip_count;
    /// The lent bytes, and how many of them are known to contain no ambiguous data.
    const uint8_t *lent;
    size_t known_count;
    /// The buffer that libjpeg reads instead of the lent bytes when scans are dropped; `passed_count` of the lent bytes
    /// have been processed.
    struct {
        bool is_used;
        uint8_t *bytes;
        size_t capacity, passed_count;
    } filtered;
};

/// Whether at least one scan has been read for every part of the image.
bool decoder_has_whole_scan(const struct jpeg_decompress_struct *cinfo);

/// Whether the data of the first scan have ended before its last block, at `marker`, which libjpeg does not pass. No marker
/// is 0.
bool decoder_has_ended_early(struct CJPEGDecoder *decoder, int marker);

/// Notes that libjpeg lacks data of an arithmetically coded scan before `marker`. Leaves the running function if the
/// first scan has ended early.
void decoder_lack_data(struct CJPEGDecoder *decoder, int marker);

/// Whether libjpeg was left in a marker segment of a complete file that extends to an end marker at the end of the
/// file, so that the segment was cut before that.
bool decoder_is_in_cut_segment(const struct CJPEGDecoder *decoder);

/// Receives libjpeg's warnings. Tolerates a limited number inside a file, but not that the first scan ends early.
void decoder_emit_message(j_common_ptr cinfo, int level);

/// Whether only the DC coefficients of a component affect pixels.
bool decoder_needs_only_dc(const jpeg_component_info *component);

/// Restores what the first frame header states. Call it wherever libjpeg may have stopped inside of a second one.
void decoder_restore_frame(struct CJPEGDecoder *decoder);

/// Sets up libjpeg's source manager to read the bytes lent to `decoder`.
void source_prepare(struct CJPEGDecoder *decoder);

/// Takes the bytes after the header back from libjpeg, and supplies them again without the scans that add nothing, and in
/// parts if they are coded arithmetically.
void source_drop_unneeded_scans(struct CJPEGDecoder *decoder);

/// Whether, since the header or the last call, libjpeg has read data whose pixels depend on where the input was split.
bool source_has_read_ambiguous_data(struct CJPEGDecoder *decoder);

/// Frees the buffer that `source_drop_unneeded_scans` uses for a growing file.
void source_destroy(struct CJPEGDecoder *decoder);

/// Leaves the running function when it was cancelled or the scan limit is exceeded.
void decoder_check(struct CJPEGDecoder *decoder);
