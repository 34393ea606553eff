#pragma once

#if !__has_include(<lcms2.h>)
#error "Little CMS headers not found: apt-get install liblcms2-dev"
#endif

#include <lcms2.h>
