#include "CPNG.h"

#include <pthread.h>

// `table[n][b]` is the remainder of byte b followed by n zero bytes.
static uint32_t table[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++) rest = rest & 1 ? rest >> 1 ^ 0xEDB88320 : rest >> 1;
        table[0][byte] = rest;
    }
    for (int n = 1; n < 8; n++)
        for (int byte = 0; byte < 256; byte++)
            table[n][byte] = table[n - 1][byte] >> 8 ^ table[0][table[n - 1][byte] & 255];
}

uint32_t cpng_crc(uint32_t crc, const uint8_t *bytes, size_t count) {
    pthread_once(&once, make_table);
    crc = ~crc;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint32_t low = crc ^ (bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24);
        crc = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^ table[4][low >> 24] ^
              table[3][bytes[4]] ^ table[2][bytes[5]] ^ table[1][bytes[6]] ^ table[0][bytes[7]];
    }
    for (; count; bytes++, count--) crc = crc >> 8 ^ table[0][(crc ^ *bytes) & 255];
    return ~crc;
}
