// raw ROW FILE...: performs the row's work on all files for each line of input, and prints the time. See peers.
#include "CReference.h"
#include "raw.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef buffer (*work)(buffer file);

static buffer jpeg_thumbnail(buffer file) {
    extent size;
    uint8_t *pixels = jpeg_shrunk(file, (extent){180, 120}, &size);
    buffer written = jpeg_written(pixels, size);
    free(pixels);
    return written;
}

static buffer webp_thumbnail(buffer file) {
    extent size;
    uint8_t *pixels = jpeg_shrunk(file, (extent){1280, 1280}, &size);
    buffer written = webp_written(pixels, size);
    free(pixels);
    return written;
}

static buffer png_thumbnail(buffer file) {
    extent size;
    uint8_t *pixels = png_shrunk(file, (extent){256, 256}, &size);
    buffer written = png_written(pixels, size);
    free(pixels);
    return written;
}

static buffer png_small(buffer file) {
    extent size;
    uint8_t *pixels = png_shrunk(file, (extent){180, 120}, &size);
    buffer written = jpeg_written(pixels, size);
    free(pixels);
    return written;
}

static int is_png(buffer file) { return file.bytes[0] == 0x89; }

static buffer small(buffer file) { return (is_png(file) ? png_small : jpeg_thumbnail)(file); }

static buffer decode(buffer file) {
    uint8_t *(*decode)(const uint8_t *, size_t) = is_png(file) ? reference_decode_png
        : file.bytes[0] == 0xFF ? reference_decode_jpeg
        : file.bytes[0] == 'G' ? reference_decode_gif : reference_decode_webp;
    uint8_t *pixels = decode(file.bytes, file.count);
    if (!pixels) abort();
    return (buffer){pixels, 0};
}

static void ignore(void *context, const uint8_t *canvas) {}

static buffer frames(buffer file) {
    int (*play)(const uint8_t *, size_t, reference_show, void *) =
        file.bytes[0] == 'G' ? reference_play_gif : reference_play_webp;
    if (play(file.bytes, file.count, ignore, NULL) < 0) abort();
    return (buffer){NULL, 0};
}

static buffer resize(buffer pixels, extent target) {
    extent source;
    memcpy(&source, pixels.bytes, sizeof source);
    int has_alpha = pixels.bytes[sizeof source];
    resampler *resampler = resampler_make(source, source.width, source.height, target, has_alpha);
    for (uint32_t y = 0; y < source.height; y++) resampler_take(resampler, pixels.bytes + 16 + (size_t)y * source.width * 4);
    return (buffer){resampler_finish(resampler), (size_t)target.width * target.height * 4};
}

static buffer resize_400(buffer pixels) { return resize(pixels, (extent){400, 300}); }
static buffer resize_1280(buffer pixels) { return resize(pixels, (extent){1280, 960}); }

// Pixels preceded by a header of 16 bytes: the size as two numbers, and whether there is alpha.
static buffer decoded(buffer file) {
    extent size = {file.bytes[18] << 8 | file.bytes[19], file.bytes[22] << 8 | file.bytes[23]};
    size_t count = (size_t)size.width * size.height * 4;
    uint8_t *pixels = reference_decode_png(file.bytes, file.count), *bytes = malloc(count + 16);
    memcpy(bytes, &size, sizeof size);
    bytes[sizeof size] = file.bytes[25] & 4;
    memcpy(bytes + 16, pixels, count);
    free(pixels);
    free(file.bytes);
    return (buffer){bytes, count + 16};
}

static const struct row {
    const char *name;
    work work;
} table[] = {
    {"thumbnail", jpeg_thumbnail}, {"webp", webp_thumbnail}, {"png", png_thumbnail}, {"small", small},
    {"decode", decode}, {"frames", frames}, {"resize-400", resize_400}, {"resize-1280", resize_1280},
};

static buffer *files;
static int file_count, next_file;
static work row_work;

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

static double milliseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void *work_off(void *unused) {
    int index;
    while ((index = __atomic_fetch_add(&next_file, 1, __ATOMIC_RELAXED)) < file_count) free(row_work(files[index]).bytes);
    return NULL;
}

static void on_threads(int count) {
    pthread_t threads[16];
    next_file = 0;
    double start = milliseconds(CLOCK_MONOTONIC);
    for (int index = 0; index < count; index++) pthread_create(&threads[index], NULL, work_off, NULL);
    for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
    printf("%f 0\n", milliseconds(CLOCK_MONOTONIC) - start);
}

static void measure(const char *folder) {
    double start = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    size_t byte_count = 0;
    for (int index = 0; index < file_count; index++) {
        buffer made = row_work(files[index]);
        byte_count += made.count;
        if (folder) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%d", folder, index);
            FILE *file = fopen(path, "wb");
            fwrite(made.bytes, 1, made.count, file);
            fclose(file);
        }
        free(made.bytes);
    }
    printf("%f %zu\n", milliseconds(CLOCK_PROCESS_CPUTIME_ID) - start, byte_count);
}

static long kibibytes(const char *name) {
    char line[256];
    long value = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status)) {
        if (strncmp(line, name, strlen(name)) == 0) value = atol(line + strlen(name));
    }
    fclose(status);
    return value;
}

static void peak(void) {
    free(row_work(files[0]).bytes);
    FILE *forget = fopen("/proc/self/clear_refs", "w");
    fputs("5", forget);
    fclose(forget);
    long floor = kibibytes("VmRSS:");
    free(row_work(files[file_count - 1]).bytes);
    printf("%ld 0\n", kibibytes("VmHWM:") - floor);
}

int main(int argument_count, char **arguments) {
    const char *name = argument_count > 2 ? arguments[1] : "";
    for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
        if (strcmp(name, table[index].name) == 0) row_work = table[index].work;
    }
    if (!row_work) { fprintf(stderr, "usage: raw ROW FILE...\n"); return 2; }
    file_count = argument_count - 2;
    files = malloc(sizeof *files * file_count);
    for (int index = 0; index < file_count; index++) {
        files[index] = contents(arguments[index + 2]);
        if (row_work == resize_400 || row_work == resize_1280) files[index] = decoded(files[index]);
    }
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "threads ", 8) == 0) on_threads(atoi(line + 8));
        else if (strcmp(line, "peak") == 0) peak();
        else measure(strncmp(line, "write ", 6) == 0 ? line + 6 : NULL);
        fflush(stdout);
    }
}
