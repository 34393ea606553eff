// Writes frames of all code sizes that giflib has compressed into the folder FOLDER, as inputs of
// decompress_against_giflib: make_frames FOLDER
#include <gif_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { side = 64, kind_count = 4 };

struct file {
    unsigned char bytes[1 << 17];
    size_t count;
};

static int write_file(GifFileType *gif, const GifByteType *bytes, int count) {
    struct file *file = gif->UserData;
    memcpy(file->bytes + file->count, bytes, (size_t)count);
    file->count += (size_t)count;
    return count;
}

static int index_at(int x, int y, int kind) {
    switch (kind) {
    case 0: return rand();
    case 1: return (x + y) / 2 + rand() % 3;
    case 2: return y % 12 < 7 && (x * 7919 + y / 12 * 31) % 5 == 0 ? 1 : x / 30;
    default: return 0;
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_frames FOLDER\n");
        return 1;
    }
    for (int bits = 1; bits <= 8; bits++) {
        for (int kind = 0; kind < kind_count; kind++) {
            static struct file file;
            file.count = 0;
            int error;
            GifFileType *gif = EGifOpen(&file, write_file, &error);
            ColorMapObject *colors = GifMakeMapObject(1 << bits, NULL);
            EGifPutScreenDesc(gif, side, side, 8, 0, colors);
            EGifPutImageDesc(gif, 0, 0, side, side, 0, NULL);
            size_t start = file.count;
            for (int y = 0; y < side; y++) {
                unsigned char row[side];
                for (int x = 0; x < side; x++) row[x] = (unsigned char)(index_at(x, y, kind) & ((1 << bits) - 1));
                EGifPutLine(gif, row, side);
            }
            EGifCloseFile(gif, &error);
            char path[4096];
            snprintf(path, sizeof path, "%s/bits-%d-kind-%d", argv[1], bits, kind);
            FILE *out = fopen(path, "wb");
            if (!out) {
                perror(path);
                return 1;
            }
            // Rows of 64 indices, and calls for 201.
            fputc(side - 1, out);
            fputc(200, out);
            // EGifPutImageDesc has already written the minimum code size.
            fwrite(file.bytes + start - 1, 1, file.count - start + 1, out);
            fclose(out);
        }
    }
    return 0;
}
