#pragma once

#if !__has_include(<gtk/gtk.h>)
#error "GTK's headers not found: apt-get install libgtk-4-dev"
#endif
