#include "CReference.h"
#include "gif_source.h"

#include <stdlib.h>

// Skips the extensions before the first frame.
static int find_frame(GifFileType *file) {
    GifRecordType type;
    while (DGifGetRecordType(file, &type) == GIF_OK && type != TERMINATE_RECORD_TYPE) {
        if (type == IMAGE_DESC_RECORD_TYPE) return DGifGetImageHeader(file) == GIF_OK;
        int label;
        GifByteType *block;
        if (DGifGetExtension(file, &label, &block) != GIF_OK) return 0;
        while (block) if (DGifGetExtensionNext(file, &block) != GIF_OK) return 0;
    }
    return 0;
}

static int read_rows(GifFileType *file, uint32_t *pixels, GifByteType *row) {
    const ColorMapObject *map = file->Image.ColorMap ? file->Image.ColorMap : file->SColorMap;
    uint32_t palette[256] = {0};
    for (int index = 0; index < map->ColorCount; index++) {
        GifColorType color = map->Colors[index];
        uint8_t rgba[4] = {color.Red, color.Green, color.Blue, 255};
        memcpy(&palette[index], rgba, 4);
    }
    for (int y = 0; y < file->SHeight; y++, pixels += file->SWidth) {
        if (DGifGetLine(file, row, file->SWidth) != GIF_OK) return 0;
        for (int x = 0; x < file->SWidth; x++) pixels[x] = palette[row[x]];
    }
    return 1;
}

uint8_t *reference_decode_gif(const uint8_t *bytes, size_t count) {
    struct source source = {bytes, count};
    GifFileType *file = DGifOpen(&source, read_bytes, NULL);
    if (!file) return NULL;
    uint32_t *pixels = malloc((size_t)file->SWidth * file->SHeight * 4);
    GifByteType *row = malloc(file->SWidth);
    int is_done = find_frame(file) && read_rows(file, pixels, row);
    free(row);
    DGifCloseFile(file, NULL);
    if (is_done) return (uint8_t *)pixels;
    free(pixels);
    return NULL;
}
