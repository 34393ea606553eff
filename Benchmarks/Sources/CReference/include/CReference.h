#pragma once

#include <stddef.h>
#include <stdint.h>

// The shortest loop over each library with the settings of Darkroom's coder: what its decoders are measured against.
// `bytes` are a whole file that Darkroom decodes. All answer RGBA8 pixels in a fresh buffer that the caller frees; NULL
// when the library gives up.

uint8_t *reference_decode_png(const uint8_t *bytes, size_t count);
uint8_t *reference_decode_jpeg(const uint8_t *bytes, size_t count);
// The first frame, which must cover the screen.
uint8_t *reference_decode_gif(const uint8_t *bytes, size_t count);
uint8_t *reference_decode_webp(const uint8_t *bytes, size_t count);

// How many bytes libpng, with its own settings, makes of RGBA8 pixels; 0 when it gives up.
size_t reference_encode_png(const uint8_t *pixels, uint32_t width, uint32_t height, int has_alpha);

// Sees the canvas after each frame, RGBA8.
typedef void (*reference_show)(void *context, const uint8_t *canvas);

// Plays an animation whose frames lie within the canvas; answers how many there were, -1 when the library gives up.
int reference_play_gif(const uint8_t *bytes, size_t count, reference_show show, void *context);
int reference_play_webp(const uint8_t *bytes, size_t count, reference_show show, void *context);

// A dictionary under a mutex that notes the order of last use: what the memory cache is measured against. It never evicts.
typedef struct reference_cache reference_cache;
reference_cache *reference_cache_make(size_t count);
// A key is stored once.
void reference_cache_store(reference_cache *cache, const char *key, size_t length, const void *value);
const void *reference_cache_look(reference_cache *cache, const char *key, size_t length);
