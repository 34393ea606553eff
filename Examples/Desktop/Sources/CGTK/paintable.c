#include "CGTK.h"

struct _DarkroomPaintable {
    GObject parent;
    GdkTexture *texture;
    GdkTexture *previous;
    GtkContentFit fit;
    GdkRGBA background;
    double fade;
    double progress;
};

typedef struct {
    GObjectClass parent;
} DarkroomPaintableClass;

static void implement_paintable(GdkPaintableInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE(
    DarkroomPaintable, darkroom_paintable, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, implement_paintable))

// Returns the area of a texture within `area`, which it may exceed.
static graphene_rect_t placed(GdkTexture *texture, GtkContentFit fit, graphene_rect_t area) {
    double width = gdk_texture_get_width(texture), height = gdk_texture_get_height(texture);
    double horizontal = area.size.width / width, vertical = area.size.height / height;
    double scale = fit == GTK_CONTENT_FIT_COVER ? MAX(horizontal, vertical) : MIN(horizontal, vertical);
    if (fit == GTK_CONTENT_FIT_SCALE_DOWN) scale = MIN(scale, 1);
    if (fit == GTK_CONTENT_FIT_FILL) return area;
    width *= scale, height *= scale;
    graphene_rect_t place = GRAPHENE_RECT_INIT(
        (area.size.width - width) / 2, (area.size.height - height) / 2, width, height);
    return place;
}

static void draw(GtkSnapshot *snapshot, GdkTexture *texture, GtkContentFit fit, graphene_rect_t area, double opacity) {
    graphene_rect_t place = placed(texture, fit, area);
    if (opacity < 1) gtk_snapshot_push_opacity(snapshot, opacity);
    gtk_snapshot_append_texture(snapshot, texture, &place);
    if (opacity < 1) gtk_snapshot_pop(snapshot);
}

static void draw_progress(GtkSnapshot *snapshot, double fraction, graphene_rect_t area) {
    const GdkRGBA track = {0.5, 0.5, 0.5, 0.35}, bar = {0.21, 0.52, 0.89, 1};
    float width = area.size.width - 16, top = area.size.height - 10;
    if (width <= 0 || top <= 0) return;
    gtk_snapshot_append_color(snapshot, &track, &GRAPHENE_RECT_INIT(8, top, width, 4));
    gtk_snapshot_append_color(snapshot, &bar, &GRAPHENE_RECT_INIT(8, top, width * (float)MIN(fraction, 1), 4));
}

static void take_snapshot(GdkPaintable *paintable, GdkSnapshot *gdk_snapshot, double width, double height) {
    DarkroomPaintable *self = (DarkroomPaintable *)paintable;
    GtkSnapshot *snapshot = GTK_SNAPSHOT(gdk_snapshot);
    graphene_rect_t area = GRAPHENE_RECT_INIT(0, 0, width, height);
    if (width <= 0 || height <= 0) return;
    gtk_snapshot_push_clip(snapshot, &area);
    if (!self->texture || (self->fade < 1 && !self->previous)) {
        gtk_snapshot_append_color(snapshot, &self->background, &area);
    }
    if (self->previous) draw(snapshot, self->previous, self->fit, area, 1);
    if (self->texture) draw(snapshot, self->texture, self->fit, area, self->fade);
    if (self->progress >= 0) draw_progress(snapshot, self->progress, area);
    gtk_snapshot_pop(snapshot);
}

static void finalize(GObject *object) {
    DarkroomPaintable *self = (DarkroomPaintable *)object;
    g_clear_object(&self->texture);
    g_clear_object(&self->previous);
    G_OBJECT_CLASS(darkroom_paintable_parent_class)->finalize(object);
}

static void implement_paintable(GdkPaintableInterface *interface) { interface->snapshot = take_snapshot; }

static void darkroom_paintable_class_init(DarkroomPaintableClass *class) { G_OBJECT_CLASS(class)->finalize = finalize; }

static void darkroom_paintable_init(DarkroomPaintable *self) {
    const GdkRGBA grey = {0.5, 0.5, 0.5, 0.15};
    self->background = grey;
    self->fit = GTK_CONTENT_FIT_CONTAIN;
    self->fade = 1;
    self->progress = -1;
}

DarkroomPaintable *darkroom_paintable_new(void) { return g_object_new(darkroom_paintable_get_type(), NULL); }

static void changed(DarkroomPaintable *self) { gdk_paintable_invalidate_contents((GdkPaintable *)self); }

void darkroom_paintable_set_texture(DarkroomPaintable *self, GdkTexture *texture, gboolean fades) {
    if (fades) {
        g_set_object(&self->previous, self->texture);
        self->fade = 0;
    } else if (!texture) {
        g_clear_object(&self->previous);
        self->fade = 1;
    }
    g_set_object(&self->texture, texture);
    changed(self);
}

void darkroom_paintable_set_fade(DarkroomPaintable *self, double fade) {
    if (self->fade == fade) return;
    self->fade = fade;
    if (fade >= 1) g_clear_object(&self->previous);
    changed(self);
}

void darkroom_paintable_set_progress(DarkroomPaintable *self, double fraction) {
    if (self->progress == fraction) return;
    self->progress = fraction;
    changed(self);
}

void darkroom_paintable_set_content_fit(DarkroomPaintable *self, GtkContentFit fit) {
    self->fit = fit;
    changed(self);
}

void darkroom_paintable_set_background(DarkroomPaintable *self, GdkRGBA color) {
    self->background = color;
    changed(self);
}

GdkTexture *darkroom_paintable_get_texture(DarkroomPaintable *self) { return self->texture; }
