#include "CReference.h"

#include <png.h>
#include <string.h>

int reference_png(const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, file, count)) return 0;
    image.format = PNG_FORMAT_RGBA;
    int is_read = image.width == width && image.height == height && png_image_finish_read(&image, NULL, pixels, 0, NULL);
    png_image_free(&image);
    return is_read;
}
