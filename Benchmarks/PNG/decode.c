// decode FILE...: decodes one file with the reader of CPNG for each number in the input, and prints the milliseconds and
// the peak of the memory in KiB. See compare-inflaters.
#include "CPNG.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

size_t inflated_count __attribute__((weak));

static double milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static long kibibytes(const char *name) {
    char line[256];
    long value = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (strncmp(line, name, strlen(name)) == 0) value = atol(line + strlen(name));
    fclose(status);
    return value;
}

static size_t contents(const char *path, uint8_t **bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    fseek(file, 0, SEEK_END);
    size_t count = (size_t)ftell(file);
    rewind(file);
    *bytes = malloc(count);
    if (fread(*bytes, 1, count, file) != count) { perror(path); exit(1); }
    fclose(file);
    return count;
}

static size_t count_inflated(const cpng_header *header) {
    static const size_t channel_counts[] = {1, 0, 3, 1, 2, 0, 4};
    size_t bit_count = header->width * channel_counts[header->color_type] * header->bit_depth;
    return (1 + (bit_count + 7) / 8) * header->height;
}

// Decodes row by row. Returns the milliseconds.
static double decode(const uint8_t *bytes, size_t count, uint8_t *row) {
    double start = milliseconds();
    cpng_reader *reader = cpng_reader_create(bytes, count);
    cpng_header header;
    int pass_count;
    if (cpng_read_header(reader, 1 << 24, 1 << 24, 0, &header)) abort();
    inflated_count = count_inflated(&header);
    if (cpng_start_rows(reader, &pass_count)) abort();
    for (uint32_t y = 0; y < header.height; y++)
        if (cpng_read_row(reader, row)) abort();
    if (!cpng_reader_is_fast(reader)) abort();
    cpng_reader_destroy(reader);
    return milliseconds() - start;
}

int main(int argument_count, char **arguments) {
    uint8_t *row = malloc((size_t)1 << 24);
    memset(row, 1, (size_t)1 << 24);
    int index;
    while (scanf("%d", &index) == 1) {
        uint8_t *bytes;
        size_t count = contents(arguments[1 + index], &bytes);
        FILE *reset = fopen("/proc/self/clear_refs", "w");
        fputs("5", reset);
        fclose(reset);
        long floor = kibibytes("VmRSS:");
        double time = decode(bytes, count, row);
        printf("%f %ld\n", time, kibibytes("VmHWM:") - floor);
        fflush(stdout);
        free(bytes);
    }
}
