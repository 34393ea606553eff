// Encodes PNG files with CPNG and with libpng at the same level, in interleaved rounds, and prints bytes and CPU time.
// In this folder:
//
//   cc -O3 -w -I../../Sources/CPNG/include -I../Raw -I../Sources/CReference/include encode.c ../../Sources/CPNG/*.c \
//       ../Raw/{files,resample}.c ../Sources/CReference/*.c \
//       -lpng16 -ldeflate -lz -ljpeg -lgif -lwebp -lwebpdemux -lm -o encode
//   ./encode LEVEL SIDE FILE...
//
// The images are scaled down to fit into SIDE × SIDE pixels, unless SIDE is 0. The pixels of the files are verified.
#include "CPNG.h"
#include "CReference.h"
#include "raw.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { round_count = 3 };

typedef struct {
    extent size;
    int color_type;
    // One byte per pixel for grey, else RGBA.
    size_t step;
    uint8_t *pixels;
} image;

typedef buffer encoder(const image *image, int level);

static buffer contents(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    fseek(file, 0, SEEK_END);
    buffer read = {.count = (size_t)ftell(file)};
    rewind(file);
    read.bytes = malloc(read.count);
    if (fread(read.bytes, 1, read.count, file) != read.count) { perror(path); exit(1); }
    fclose(file);
    return read;
}

static image decoded(const char *path, uint32_t side) {
    buffer file = contents(path);
    image image = {.color_type = file.bytes[25] == CPNG_PALETTE ? CPNG_RGB : file.bytes[25], .step = 4};
    image.pixels = png_shrunk(file, (extent){side ? side : UINT32_MAX, side ? side : UINT32_MAX}, &image.size);
    free(file.bytes);
    if (image.color_type != CPNG_GRAY) return image;
    image.step = 1;
    for (size_t n = 0; n < (size_t)image.size.width * image.size.height; n++) image.pixels[n] = image.pixels[4 * n];
    return image;
}

static const uint8_t *row(const image *image, uint32_t y) { return image->pixels + image->step * image->size.width * y; }

static buffer by_cpng(const image *image, int level) {
    cpng_written_header header = {
        .width = image->size.width, .height = image->size.height, .color_type = image->color_type, .level = level,
        .byte_limit = SIZE_MAX,
    };
    buffer file;
    cpng_writer *writer = cpng_writer_create();
    if (cpng_write_header(writer, &header)) abort();
    for (uint32_t y = 0; y < image->size.height; y++)
        if (cpng_write_row(writer, row(image, y))) abort();
    if (cpng_finish(writer, &file.bytes, &file.count)) abort();
    cpng_writer_destroy(writer);
    return file;
}

static void append_bytes(png_structp png, png_bytep bytes, size_t count) {
    buffer *file = png_get_io_ptr(png);
    file->bytes = realloc(file->bytes, file->count + count);
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static void flush(png_structp png) {}

static buffer by_libpng(const image *image, int level) {
    buffer file = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) abort();
    png_set_write_fn(png, &file, append_bytes, flush);
    png_set_compression_level(png, level);
    png_set_IHDR(png, info, image->size.width, image->size.height, 8, image->color_type, PNG_INTERLACE_NONE, 0, 0);
    png_write_info(png, info);
    if (image->color_type == CPNG_RGB) png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (uint32_t y = 0; y < image->size.height; y++) png_write_row(png, row(image, y));
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return file;
}

// Whether the file has the pixels of `image`.
static int verify(const image *image, buffer file) {
    uint8_t *pixels = reference_decode_png(file.bytes, file.count);
    int is_equal = pixels != NULL;
    for (size_t n = 0; n < (size_t)image->size.width * image->size.height && is_equal; n++)
        is_equal = !memcmp(pixels + 4 * n, image->pixels + image->step * n, image->step);
    free(pixels);
    return is_equal;
}

static double milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

// Returns the milliseconds of one encoding.
static double measure(encoder *encoder, const image *image, int level, size_t *count) {
    double start = milliseconds();
    buffer file = encoder(image, level);
    double time = milliseconds() - start;
    *count = file.count;
    free(file.bytes);
    return time;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int argument_count, char **arguments) {
    if (argument_count < 4) return 2;
    int level = atoi(arguments[1]);
    size_t sums[2] = {0};
    double times[2] = {0};
    for (int index = 3; index < argument_count; index++) {
        image image = decoded(arguments[index], (uint32_t)atoi(arguments[2]));
        size_t counts[2];
        double rounds[2][round_count];
        buffer file = by_cpng(&image, level);
        if (!verify(&image, file)) { fprintf(stderr, "%s has other pixels\n", arguments[index]); return 1; }
        free(file.bytes);
        for (int n = 0; n < round_count; n++) {
            rounds[n % 2][n] = measure(n % 2 ? by_libpng : by_cpng, &image, level, &counts[n % 2]);
            rounds[1 - n % 2][n] = measure(n % 2 ? by_cpng : by_libpng, &image, level, &counts[1 - n % 2]);
        }
        for (int n = 0; n < 2; n++) {
            qsort(rounds[n], round_count, sizeof(double), compare);
            sums[n] += counts[n];
            times[n] += rounds[n][round_count / 2];
        }
        const char *name = strrchr(arguments[index], '/');
        printf("%-34s %9zu bytes (%.4f) %8.2f ms (%.2f)\n", name ? name + 1 : arguments[index], counts[0],
               (double)counts[0] / counts[1], rounds[0][round_count / 2],
               rounds[1][round_count / 2] / rounds[0][round_count / 2]);
        free(image.pixels);
    }
    printf("level %d, %d files: bytes %.4f of libpng's, libpng takes %.2f times as long; %.1f kB, %.2f ms a file\n", level,
           argument_count - 3, (double)sums[0] / sums[1], times[1] / times[0], sums[0] / 1e3 / (argument_count - 3),
           times[0] / (argument_count - 3));
}
