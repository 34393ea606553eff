#pragma once

#include "decoder.h"

/// Reads up to `row_count` rows of a file with 12 bits per sample into `rows`, with 8 bits per sample, and returns their
/// number. Like libjpeg's function, it jumps on errors.
JDIMENSION deep_read_rows(struct CJPEGDecoder *decoder, JSAMPARRAY rows, JDIMENSION row_count);
