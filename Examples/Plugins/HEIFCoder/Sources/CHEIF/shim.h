#pragma once

#if !__has_include(<libheif/heif.h>)
#error "libheif headers not found: apt-get install libheif-dev"
#endif

#include <libheif/heif.h>
