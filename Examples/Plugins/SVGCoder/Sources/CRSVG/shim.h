#pragma once

#if !__has_include(<librsvg/rsvg.h>)
#error "librsvg headers not found: apt-get install librsvg2-dev pkg-config"
#endif

#include <librsvg/rsvg.h>
