#pragma once

// The modules of the C libraries leave it out.
#include <sys/xattr.h>
