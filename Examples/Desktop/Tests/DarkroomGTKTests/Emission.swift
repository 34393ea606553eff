import CGTK
@testable import PhotoWall

/// An argument with which a test emits a signal.
enum EmittedArgument {
    case integer(Int32)
    case unsigned(UInt32)
    case number(Double)
    case modifiers(GdkModifierType)
    case value(UnsafePointer<GValue>)

    /// The argument for GLib, to be unset.
    fileprivate var value: GValue {
        var value = GValue()
        switch self {
        case .integer(let integer):
            g_value_init(&value, GType(6 << 2))
            g_value_set_int(&value, integer)
        case .unsigned(let integer):
            g_value_init(&value, GType(7 << 2))
            g_value_set_uint(&value, integer)
        case .number(let number):
            g_value_init(&value, GType(15 << 2))
            g_value_set_double(&value, number)
        case .modifiers(let modifiers):
            g_value_init(&value, gdk_modifier_type_get_type())
            g_value_set_flags(&value, modifiers.rawValue)
        case .value(let inner):
            g_value_init(&value, g_value_get_type())
            g_value_set_boxed(&value, inner)
        }
        return value
    }
}

/// Emits the signal `name` of `object`, as GTK does, and returns its answer; false for signals without one.
@MainActor @discardableResult
func emit(_ name: String, of object: UnsafeMutableRawPointer, _ arguments: EmittedArgument...) -> Bool {
    let type = object.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee.g_type
    var instance = GValue()
    g_value_init(&instance, type)
    g_value_set_object(&instance, object)
    var values = [instance] + arguments.map(\.value)
    defer { for index in values.indices { g_value_unset(&values[index]) } }
    let signal = g_signal_lookup(name, type)
    var query = GSignalQuery()
    g_signal_query(signal, &query)
    guard query.return_type == .boolean else {
        g_signal_emitv(values, signal, 0, nil)
        return false
    }
    var answer = GValue()
    g_value_init(&answer, .boolean)
    g_signal_emitv(values, signal, 0, &answer)
    return g_value_get_boolean(&answer) != 0
}

/// Returns the controllers of `widget` with the type `type`.
@MainActor
func controllers(of widget: UnsafeMutablePointer<GtkWidget>, _ type: GType) -> [UnsafeMutableRawPointer] {
    let all = gtk_widget_observe_controllers(widget)!
    defer { g_object_unref(UnsafeMutableRawPointer(all)) }
    return (0..<g_list_model_get_n_items(all)).compactMap { position in
        // The widget keeps it.
        guard let controller = g_list_model_get_item(all, position) else { return nil }
        g_object_unref(controller)
        let instance = controller.assumingMemoryBound(to: GTypeInstance.self)
        return g_type_check_instance_is_a(instance, type) != 0 ? controller : nil
    }
}
