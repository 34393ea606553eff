#pragma once

#include "../System/JPEG/shim.h"

#include <stdbool.h>
#include <stdint.h>

/// A decoder of baseline files at an eighth or a quarter of their size. It yields the pixels of libjpeg-turbo in about
/// half its time, or two thirds of it.
///
/// libjpeg spends most of its time on Huffman codes, which it reads one at a time. Here a table contains several codes,
/// with the values of their coefficients if these matter. At an eighth, a sample of luma is the mean of a block, its DC
/// coefficient, and the other coefficients are only skipped. At a quarter, a block becomes 2x2 samples. Chroma that is
/// halved in both directions (4:2:0) becomes twice as many samples in each direction as luma, and is not upsampled.
///
/// The file passes through these steps, one row of MCUs at a time:
///
///   reduced_segments     removes stuffed zeros, and finds the markers
///   reduced_bits         provides the next bits
///   reduced_blocks       decodes a block, by the tables of reduced_codes and the transforms of reduced_transform
///   reduced_scan         puts blocks and segments together
///   reduced_colors       upsamples chroma, and converts to RGBA
///   reduced              checks the header, and runs these steps
///
/// It accepts only what an encoder writes: valid codes, coefficients in range, each restart marker in its place, and
/// the end of the image after the last block. At anything else it gives up, and libjpeg decodes the file instead.
struct reduced;

/// Creates a decoder of the file whose header `cinfo` has read and whose other bytes are all in its source. Returns
/// null if the kind of file or its scale is not supported, or memory is exhausted. Does not change `cinfo`, and does
/// not jump.
///
/// libjpeg must have calculated the output dimensions.
struct reduced *reduced_create(const struct jpeg_decompress_struct *cinfo);
void reduced_destroy(struct reduced *reduced);

/// Writes the next row as opaque RGBA. Returns false if the file is irregular there, or after the last row. Even then
/// the rows read before are those of libjpeg. It must not be called again.
bool reduced_read_row(struct reduced *reduced, uint8_t *rgba);

/// Returns the number of rows read.
uint32_t reduced_row_count(const struct reduced *reduced);
