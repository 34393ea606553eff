#include "CReference.h"
#include "gif_source.h"

#include <stdlib.h>
#include <webp/demux.h>

static int read_control(GifFileType *file, GraphicsControlBlock *control) {
    int label;
    GifByteType *block;
    if (DGifGetExtension(file, &label, &block) != GIF_OK) return 0;
    if (label == GRAPHICS_EXT_FUNC_CODE && block) DGifExtensionToGCB(block[0], block + 1, control);
    while (block) if (DGifGetExtensionNext(file, &block) != GIF_OK) return 0;
    return 1;
}

static int draw(GifFileType *file, uint32_t *canvas, GifByteType *row, int transparent) {
    const ColorMapObject *map = file->Image.ColorMap ? file->Image.ColorMap : file->SColorMap;
    uint32_t palette[256] = {0};
    for (int index = 0; index < map->ColorCount; index++) {
        GifColorType color = map->Colors[index];
        uint8_t rgba[4] = {color.Red, color.Green, color.Blue, 255};
        memcpy(&palette[index], rgba, 4);
    }
    for (int y = 0; y < file->Image.Height; y++) {
        if (DGifGetLine(file, row, file->Image.Width) != GIF_OK) return 0;
        uint32_t *target = canvas + (size_t)(file->Image.Top + y) * file->SWidth + file->Image.Left;
        for (int x = 0; x < file->Image.Width; x++) if (row[x] != transparent) target[x] = palette[row[x]];
    }
    return 1;
}

static void clear(GifFileType *file, uint32_t *canvas) {
    for (int y = 0; y < file->Image.Height; y++) {
        size_t start = (size_t)(file->Image.Top + y) * file->SWidth + file->Image.Left;
        memset(canvas + start, 0, (size_t)file->Image.Width * 4);
    }
}

int reference_play_gif(const uint8_t *bytes, size_t count, reference_show show, void *context) {
    struct source source = {bytes, count};
    GifFileType *file = DGifOpen(&source, read_bytes, NULL);
    if (!file) return -1;
    size_t byte_count = (size_t)file->SWidth * file->SHeight * 4;
    uint32_t *canvas = calloc(byte_count, 1), *before = malloc(byte_count);
    GifByteType *row = malloc(file->SWidth);
    GraphicsControlBlock control = {.TransparentColor = NO_TRANSPARENT_COLOR};
    GifRecordType type;
    int frame_count = 0;
    while (DGifGetRecordType(file, &type) == GIF_OK && type != TERMINATE_RECORD_TYPE) {
        if (type == EXTENSION_RECORD_TYPE && !read_control(file, &control)) break;
        if (type != IMAGE_DESC_RECORD_TYPE) continue;
        if (DGifGetImageHeader(file) != GIF_OK) break;
        if (control.DisposalMode == DISPOSE_PREVIOUS) memcpy(before, canvas, byte_count);
        if (!draw(file, canvas, row, control.TransparentColor)) break;
        show(context, (const uint8_t *)canvas);
        frame_count++;
        if (control.DisposalMode == DISPOSE_BACKGROUND) clear(file, canvas);
        if (control.DisposalMode == DISPOSE_PREVIOUS) memcpy(canvas, before, byte_count);
        control = (GraphicsControlBlock){.TransparentColor = NO_TRANSPARENT_COLOR};
    }
    free(row);
    free(before);
    free(canvas);
    DGifCloseFile(file, NULL);
    return frame_count;
}

int reference_play_webp(const uint8_t *bytes, size_t count, reference_show show, void *context) {
    WebPData data = {bytes, count};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    if (!decoder) return -1;
    int frame_count = 0, timestamp;
    uint8_t *canvas;
    while (WebPAnimDecoderHasMoreFrames(decoder) && WebPAnimDecoderGetNext(decoder, &canvas, &timestamp)) {
        show(context, canvas);
        frame_count++;
    }
    WebPAnimDecoderDelete(decoder);
    return frame_count;
}
