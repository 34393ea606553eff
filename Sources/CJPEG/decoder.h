#pragma once

#include "errors.h"
#include "scans.h"

struct CJPEGDecoder {
    struct jpeg_decompress_struct cinfo;
    struct errors errors;
    struct jpeg_source_mgr source;
    /// The bytes that `source` does not have yet: none unless some are to be left out.
    struct scans scans;
    struct jpeg_progress_mgr progress;
    CJPEGDecodeOptions options;
    /// Whether the header is behind, the bytes ran out, and libjpeg was made to see the picture's end there.
    bool is_started, is_exhausted, is_cut;
    /// Whether more bytes may be lent, so that libjpeg waits when they run out.
    bool is_growing;
    /// Of a growing picture of several scans: whether all were read, and whether a pass was begun.
    bool is_at_end, is_in_pass;
    /// How many bytes are lent, and how many that are not there yet are to be passed over.
    size_t lent_count, skip_count;
    /// The bytes that are lent, and how many of them are known to hold no odd data.
    const uint8_t *lent;
    size_t known_count;
    /// What libjpeg gets in place of the lent bytes, of which `passed_count` were looked at, when scans are left out.
    struct {
        bool is_used;
        uint8_t *bytes;
        size_t capacity, passed_count;
    } kept;
};

/// Whether each part of the picture has some data.
bool decoder_has_whole_scan(const struct jpeg_decompress_struct *cinfo);

/// Makes libjpeg read what is lent to `decoder`.
void source_prepare(struct CJPEGDecoder *decoder);

/// Takes the bytes behind the header from libjpeg, to give them back without the scans that are needless.
void source_drop_needless_scans(struct CJPEGDecoder *decoder);

/// Whether libjpeg has read data since the header, or the last call, whose pixels depend on where the parts of a file end.
bool source_has_read_odd_data(struct CJPEGDecoder *decoder);

/// Frees what `source_drop_needless_scans` made for a growing file.
void source_destroy(struct CJPEGDecoder *decoder);

/// Ends the running function when it was cancelled, or there were too many scans.
void decoder_check(struct CJPEGDecoder *decoder);
