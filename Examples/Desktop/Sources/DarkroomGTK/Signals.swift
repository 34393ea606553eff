public import CGTK

/// Any widget.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

extension OpaquePointer {
    /// The object as a widget, which it must be.
    public var widget: Widget { Widget(self) }

    /// The object as the address that functions for all objects take.
    public var object: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutablePointer {
    /// The object as the pointer that functions of its interfaces and of opaque types take.
    public var opaque: OpaquePointer { OpaquePointer(self) }

    /// The object as an instance of the type that a function takes, which it must be.
    public func cast<Other>(to type: Other.Type = Other.self) -> UnsafeMutablePointer<Other> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}

/// The arguments of a signal, as far as its type has them.
public struct SignalArguments {
    /// An object or a value.
    public var pointer: UnsafeMutableRawPointer?

    /// The number of presses of a gesture.
    public var pressCount = 0

    /// The position of an event within its widget, or a distance.
    public var x = 0.0, y = 0.0

    /// The value of a key.
    public var key: UInt32 = 0

    /// The modifier keys that are held.
    public var modifiers: UInt32 = 0
}

/// The types of handlers that signals have, apart from the emitting object.
public enum SignalType {
    /// No arguments, or one that is not used.
    case plain
    /// An object, such as the item of a list factory or a property.
    case object
    /// The number of presses and a position.
    case press
    /// A position or a distance, without an answer.
    case motion
    /// A distance, with an answer.
    case scroll
    /// A key, its code and the modifiers.
    case key
    /// A value and a position.
    case drop
    /// A number.
    case number
}

/// A handler that a signal or source owns.
final class Handler {
    /// The name under which it is measured.
    let name: String
    private let body: @MainActor (SignalArguments) -> Bool

    init(_ name: String, _ body: @escaping @MainActor (SignalArguments) -> Bool) {
        self.name = name
        self.body = body
    }

    /// Calls the handler that `data` refers to.
    static func call(_ data: gpointer?, _ arguments: SignalArguments = SignalArguments()) -> gboolean {
        guard let data else { return 0 }
        // GTK and GLib call it on the main thread, so neither leaves that.
        nonisolated(unsafe) let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        nonisolated(unsafe) let arguments = arguments
        return MainThread.measure(handler.name) { handler.body(arguments) ? 1 : 0 }
    }

    /// Releases the handler that `data` refers to.
    static let release: @convention(c) (gpointer?) -> Void = { data in
        if let data { Unmanaged<Handler>.fromOpaque(data).release() }
    }
}

/// Calls `body` for each emission of the signal `name` of `object`, until the object is finalized or the returned handler
/// is disconnected. The result of `body` is that of signals that have one.
@MainActor @discardableResult
public func connect(
    _ object: UnsafeMutableRawPointer, _ name: String, _ type: SignalType = .plain, isAfter: Bool = false,
    measuredAs measuredName: String? = nil, _ body: @escaping @MainActor (SignalArguments) -> Bool
) -> gulong {
    // GLib owns the handler, and releases it when the signal is disconnected.
    g_signal_connect_data(
        object, name, type.callback, Unmanaged.passRetained(Handler(measuredName ?? name, body)).toOpaque(),
        { data, _ in Handler.release(data) }, isAfter ? G_CONNECT_AFTER : GConnectFlags(rawValue: 0))
}

/// Calls `body` for each emission of the signal `name` of `object`, which has no arguments.
@MainActor @discardableResult
public func connect(
    _ object: UnsafeMutableRawPointer, _ name: String, isAfter: Bool = false, measuredAs measuredName: String? = nil,
    run body: @escaping @MainActor () -> Void
) -> gulong {
    connect(object, name, .plain, isAfter: isAfter, measuredAs: measuredName) { _ in
        body()
        return false
    }
}

/// Calls `body` with the frame time, in microseconds, before each frame of `widget`, until it returns false.
@MainActor @discardableResult
public func addTick(
    to widget: Widget, name: String = "tick", _ body: @escaping @MainActor (_ time: Int64) -> Bool
) -> guint {
    let handler = Handler(name) { body(Int64(Int(bitPattern: UInt(bitPattern: $0.pointer)))) }
    // GTK owns the handler, and releases it with the callback.
    return gtk_widget_add_tick_callback(
        widget,
        { _, clock, data in
            // The time travels in place of a pointer.
            let time = UInt(bitPattern: Int(gdk_frame_clock_get_frame_time(clock)))
            return Handler.call(data, SignalArguments(pointer: UnsafeMutableRawPointer(bitPattern: time)))
        }, Unmanaged.passRetained(handler).toOpaque(), Handler.release)
}

/// Calls `body` every `milliseconds`, until it returns false.
@MainActor @discardableResult
public func addTimer(milliseconds: UInt32, _ body: @escaping @MainActor () -> Bool) -> guint {
    let handler = Handler("timer") { _ in body() }
    // GLib owns the handler, and releases it with the timer.
    return g_timeout_add_full(
        G_PRIORITY_DEFAULT, milliseconds, { Handler.call($0) }, Unmanaged.passRetained(handler).toOpaque(),
        Handler.release)
}

extension SignalType {
    /// The C function that calls a `Handler`.
    fileprivate var callback: GCallback {
        switch self {
        case .plain: Self.plainCallback
        case .object: Self.objectCallback
        case .press: Self.pressCallback
        case .motion: Self.motionCallback
        case .scroll: Self.scrollCallback
        case .key: Self.keyCallback
        case .drop: Self.dropCallback
        case .number: Self.numberCallback
        }
    }

    // GLib knows one type of function, and calls each with the arguments of its signal: hence the casts.
    private static let plainCallback = unsafeBitCast(
        { _, data in _ = Handler.call(data) } as @convention(c) (gpointer?, gpointer?) -> Void, to: GCallback.self)

    private static let objectCallback = unsafeBitCast(
        { _, object, data in _ = Handler.call(data, SignalArguments(pointer: object)) }
            as @convention(c) (gpointer?, gpointer?, gpointer?) -> Void, to: GCallback.self)

    private static let pressCallback = unsafeBitCast(
        { _, count, x, y, data in _ = Handler.call(data, SignalArguments(pressCount: Int(count), x: x, y: y)) }
            as @convention(c) (gpointer?, gint, Double, Double, gpointer?) -> Void, to: GCallback.self)

    private static let motionCallback = unsafeBitCast(
        { _, x, y, data in _ = Handler.call(data, SignalArguments(x: x, y: y)) }
            as @convention(c) (gpointer?, Double, Double, gpointer?) -> Void, to: GCallback.self)

    private static let scrollCallback = unsafeBitCast(
        { controller, x, y, data in
            var arguments = SignalArguments(x: x, y: y)
            if let controller {
                arguments.modifiers = gtk_event_controller_get_current_event_state(OpaquePointer(controller)).rawValue
            }
            return Handler.call(data, arguments)
        } as @convention(c) (gpointer?, Double, Double, gpointer?) -> gboolean, to: GCallback.self)

    private static let keyCallback = unsafeBitCast(
        { _, key, _, modifiers, data in Handler.call(data, SignalArguments(key: key, modifiers: modifiers)) }
            as @convention(c) (gpointer?, guint, guint, guint, gpointer?) -> gboolean, to: GCallback.self)

    private static let dropCallback = unsafeBitCast(
        { _, value, x, y, data in Handler.call(data, SignalArguments(pointer: value, x: x, y: y)) }
            as @convention(c) (gpointer?, gpointer?, Double, Double, gpointer?) -> gboolean, to: GCallback.self)

    private static let numberCallback = unsafeBitCast(
        { _, number, data in _ = Handler.call(data, SignalArguments(pressCount: Int(number))) }
            as @convention(c) (gpointer?, guint, gpointer?) -> Void, to: GCallback.self)
}
