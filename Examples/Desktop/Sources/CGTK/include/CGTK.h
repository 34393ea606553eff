// GTK for Swift, and what it lacks without macros.
#pragma once

// What newer versions deprecate has no replacement in GTK 4.8, the version of Debian 12.
#define GLIB_DISABLE_DEPRECATION_WARNINGS
#define GDK_DISABLE_DEPRECATION_WARNINGS

#include <glib-unix.h>
#include <gtk/gtk.h>

// What libdispatch exports for foreign event loops.

// The descriptor that is readable while the main queue has work.
int _dispatch_get_main_queue_handle_4CF(void);
// Runs the work of the main queue.
void _dispatch_main_queue_callback_4CF(void *_Null_unspecified message);

// A paintable that draws a texture into its area, and can fade to another one.
//
// It has no size of its own, so that a widget that draws it never changes its layout when a picture arrives.
typedef struct _DarkroomPaintable DarkroomPaintable;

GType darkroom_paintable_get_type(void);

DarkroomPaintable *_Nonnull darkroom_paintable_new(void);

// Replaces the texture; NULL for none. With `fades`, the current one stays beneath until the fade is complete.
void darkroom_paintable_set_texture(DarkroomPaintable *_Nonnull self, GdkTexture *_Nullable texture, gboolean fades);

// Sets how much of the fade is complete, from 0 to 1.
void darkroom_paintable_set_fade(DarkroomPaintable *_Nonnull self, double fade);

// Sets the fraction that a bar at the lower edge shows, from 0 to 1; a negative one hides it.
void darkroom_paintable_set_progress(DarkroomPaintable *_Nonnull self, double fraction);

void darkroom_paintable_set_content_fit(DarkroomPaintable *_Nonnull self, GtkContentFit fit);

// Sets the colour of the area while it has no texture.
void darkroom_paintable_set_background(DarkroomPaintable *_Nonnull self, GdkRGBA color);

GdkTexture *_Nullable darkroom_paintable_get_texture(DarkroomPaintable *_Nonnull self);

// Sets the name that a screen reader reads.
void darkroom_set_accessible_label(GtkWidget *_Nonnull widget, const char *_Nonnull label);

// Sets whether a screen reader treats the widget as being updated.
void darkroom_set_accessible_busy(GtkWidget *_Nonnull widget, gboolean is_busy);

// Whether a screen reader reads this name, for tests.
gboolean darkroom_has_accessible_label(GtkWidget *_Nonnull widget, const char *_Nonnull label);

// Sets the number of pixels per point of all windows, as if they moved to another monitor, for tests. FALSE unless the
// display is one of X11.
gboolean darkroom_set_display_scale(int scale);

// The bytes of all allocations in use; 0 where the allocator does not tell.
size_t darkroom_allocated_memory(void);

// Makes each line of standard output appear when it is complete, even in a file.
void darkroom_write_lines_at_once(void);
