#include "CGTK.h"

#if defined(GDK_WINDOWING_X11) && __has_include(<X11/Xlib.h>)
#include <gdk/x11/gdkx.h>

gboolean darkroom_set_display_scale(int scale) {
    GdkDisplay *display = gdk_display_get_default();
    if (!GDK_IS_X11_DISPLAY(display)) return FALSE;
    gdk_x11_display_set_surface_scale(display, scale);
    return TRUE;
}
#else
gboolean darkroom_set_display_scale(int scale) { return FALSE; }
#endif
