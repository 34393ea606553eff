import CGTK
import DarkroomGTK

/// The frames of a window.
@MainActor
struct Frames {
    let widget: Widget

    /// Calls `body` with the frames of a window that is empty, and closed afterwards.
    static func ofEmptyWindow(_ body: @MainActor (Self) async -> Void) async {
        guard let window = gtk_window_new() else { return }
        gtk_window_present(window.cast())
        await body(Self(widget: window))
        gtk_window_destroy(window.cast())
    }

    /// Returns before the frame after the next `count` ones.
    func wait(_ count: Int = 1) async { await until(within: count) { false } }

    /// Returns before the frame in which `condition` is true, or after `count` frames; it is evaluated before each frame.
    func until(within count: Int = .max, _ condition: @escaping @MainActor () -> Bool) async {
        var rest = count
        await withCheckedContinuation { resumed in
            addTick(to: widget, name: "check") { _ in
                rest -= 1
                guard rest < 0 || condition() else { return true }
                resumed.resume()
                return false
            }
        }
    }
}
