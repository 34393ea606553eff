#pragma once

#include "scans.h"

// libjpeg's arithmetic decoder reads zeros after the end of a scan without a warning. That is regular: encoders leave out
// zeros at the end. It reads few of them, unless data are missing.

enum {
    /// The maximum number of zeros that libjpeg may read after the data of a scan.
    arithmetic_zero_count = 64,
};

/// The parts of an arithmetically coded file after the header: the data of a scan, zeros that are not in the file, and
/// the marker segments before the next scan.
struct arithmetic {
    /// Whether the file is read in parts.
    bool is_used;
    /// The bytes not handed out yet, those of dropped scans excluded.
    const uint8_t *next, *end;
    /// The number of zeros after the data of each scan.
    size_t zero_count;
    /// Whether data of a scan follow, and whether their zeros were the last part.
    bool is_in_data, is_after_data;
};

/// Starts with the data of the first scan, which `scans` supplies, of an image with this number of pixels.
void arithmetic_start(struct arithmetic *arithmetic, size_t pixel_count);

/// Hands out the next part of the bytes that `scans` supplies, and returns its size; 0 at the end.
size_t arithmetic_next(struct arithmetic *arithmetic, struct scans *scans, const uint8_t **bytes);

/// Returns the second byte of the marker that ends the data of the current scan, an end of image at the end of the bytes.
int arithmetic_marker(const struct arithmetic *arithmetic, const struct scans *scans);
