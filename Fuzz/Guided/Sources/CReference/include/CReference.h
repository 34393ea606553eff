#pragma once

#include <stddef.h>
#include <stdint.h>

// Decodes a PNG with libpng's own interface for whole images, to `width` × `height` pixels of RGBA, not premultiplied. Returns 0 if
// libpng refuses the file, or if the image has another size.
int reference_png(const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels);
