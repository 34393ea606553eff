#pragma once

#if !__has_include(<avif/avif.h>)
#error "libavif headers not found: apt-get install libavif-dev"
#endif

#include <avif/avif.h>
