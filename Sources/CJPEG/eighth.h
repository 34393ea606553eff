#pragma once

#include "../SystemJPEG/shim.h"

#include <stdbool.h>
#include <stdint.h>

/// A decoder of baseline files at an eighth of their size, which yields the pixels of libjpeg-turbo in half its time.
///
/// At this scale a sample of luma is the mean of a block, its DC coefficient, and libjpeg spends most of its time on
/// the Huffman codes of coefficients that it does not use. Only chroma that is halved in both directions (4:2:0) is
/// decoded from further coefficients, to 2x2 samples. `eighth_codes.h` explains how the others are skipped.
///
/// The file passes through these steps, one row of MCUs at a time:
///
///   eighth_segments     removes stuffed zeros, and finds the markers
///   eighth_bits         provides the next bits
///   eighth_blocks       decodes a block, by the tables of eighth_codes and, to 2x2 samples, eighth_transform
///   eighth_scan         puts blocks and segments together
///   eighth              checks the header, and converts the samples to RGBA
///
/// It accepts only what an encoder writes: valid codes, coefficients in range, each restart marker in its place, and
/// the end of the image after the last block. At anything else it gives up, and libjpeg decodes the file instead.
struct eighth;

/// Creates a decoder of the file whose header `cinfo` has read and whose other bytes are all in its source. Returns
/// null if the kind of file is not supported, or memory is exhausted. Does not change `cinfo`, and does not jump.
///
/// libjpeg must have calculated the output dimensions.
struct eighth *eighth_create(const struct jpeg_decompress_struct *cinfo);
void eighth_destroy(struct eighth *eighth);

/// Writes the next row as opaque RGBA. Returns false if the file is irregular there, or after the last row. Even then
/// the rows read before are those of libjpeg. It must not be called again.
bool eighth_read_row(struct eighth *eighth, uint8_t *rgba);

/// Returns the number of rows read.
uint32_t eighth_row_count(const struct eighth *eighth);
