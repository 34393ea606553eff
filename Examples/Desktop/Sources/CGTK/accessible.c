#include "CGTK.h"

void darkroom_set_accessible_label(GtkWidget *widget, const char *label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void darkroom_set_accessible_busy(GtkWidget *widget, gboolean is_busy) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_BUSY, is_busy, -1);
}

gboolean darkroom_has_accessible_label(GtkWidget *widget, const char *label) {
    char *difference =
        gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label);
    g_free(difference);
    return difference == NULL;
}
