import CGTK
import DarkroomGTK

extension GType {
    // The macros of these types are not imported.

    /// `G_TYPE_INVALID`: no type.
    static let invalid = GType(0)
    /// `G_TYPE_BOOLEAN`.
    static let boolean = GType(5 << 2)
    /// `G_TYPE_STRING`.
    static let string = GType(16 << 2)
}

/// Sets a property of `object` to `value`.
@MainActor
func setProperty(_ name: String, of object: UnsafeMutableRawPointer, to value: Bool) {
    var wrapped = GValue()
    g_value_init(&wrapped, .boolean)
    g_value_set_boolean(&wrapped, value ? 1 : 0)
    g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &wrapped)
    g_value_unset(&wrapped)
}

/// Returns the value of a property of `object`.
@MainActor
func property(_ name: String, of object: UnsafeMutableRawPointer) -> Bool {
    var wrapped = GValue()
    g_value_init(&wrapped, .boolean)
    defer { g_value_unset(&wrapped) }
    g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &wrapped)
    return g_value_get_boolean(&wrapped) != 0
}

extension Widget {
    /// Sets the same margin on all sides.
    @MainActor
    func setMargin(_ points: gint) {
        gtk_widget_set_margin_start(self, points)
        gtk_widget_set_margin_end(self, points)
        gtk_widget_set_margin_top(self, points)
        gtk_widget_set_margin_bottom(self, points)
    }
}

/// Returns a flat button with an icon, which calls `action`.
@MainActor
func iconButton(_ icon: String, _ tooltip: String, action: @escaping @MainActor () -> Void) -> Widget {
    let button: Widget = gtk_button_new_from_icon_name(icon)
    gtk_widget_set_tooltip_text(button, tooltip)
    connect(button, "clicked", run: action)
    return button
}
