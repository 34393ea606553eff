// Writes seed files for `reduced_against_libjpeg`. In this folder:
//
//   clang make_files.c random_file.c -ljpeg -o make_files && mkdir -p corpus && ./make_files corpus
#include "random_file.h"

#include <stdio.h>

enum { file_count = 200, capacity = 1 << 17 };

int main(int count, char **arguments) {
    static uint8_t bytes[capacity];
    if (count != 2) return fprintf(stderr, "usage: make_files FOLDER\n"), 2;
    for (uint32_t seed = 0; seed < file_count; seed++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%03u.jpg", arguments[1], seed);
        FILE *file = fopen(path, "wb");
        if (file == NULL) return perror(path), 1;
        fwrite(bytes, 1, write_random_file(bytes, capacity, seed), file);
        fclose(file);
    }
    return 0;
}
