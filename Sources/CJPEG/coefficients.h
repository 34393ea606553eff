#pragma once

#include "errors.h"

/// The caller's memory for the coefficients of an image with several scans.
struct coefficients {
    uint8_t *start;
    size_t byte_count;
};

/// Makes libjpeg store coefficients in the memory of `coefficients`, unless that is null. Call it before decompression
/// starts.
void coefficients_prepare(const struct coefficients *coefficients, struct jpeg_decompress_struct *cinfo);
