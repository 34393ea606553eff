#pragma once

#if !__has_include(<jpeglib.h>)
#error "libjpeg headers not found: apt-get install libjpeg-dev"
#endif

// jpeglib.h uses size_t and FILE without including what declares them.
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>
