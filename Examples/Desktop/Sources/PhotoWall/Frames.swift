import CGTK
import DarkroomGTK

/// The frames of a window.
@MainActor
struct Frames {
    let widget: Widget

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
