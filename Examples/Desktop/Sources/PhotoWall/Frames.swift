import CGTK
import DarkroomGTK

/// The frames of a window.
@MainActor
struct Frames {
    let widget: Widget

    /// Returns before the frame after the next `count` ones.
    func wait(_ count: Int = 1) async {
        await until { [counter = Counter()] in
            counter.value += 1
            return counter.value > count
        }
    }

    /// Returns before the frame in which `condition` is true; it is evaluated before each frame.
    func until(_ condition: @escaping @MainActor () -> Bool) async {
        await withCheckedContinuation { resumed in
            addTick(to: widget, name: "check") { _ in
                guard condition() else { return true }
                resumed.resume()
                return false
            }
        }
    }

    private final class Counter {
        var value = 0
    }
}
