import CGTK
import DarkroomGTK
import Foundation
import Testing

/// The tests with widgets, which need a display: `Scripts/check-desktop` starts one. They run one after the other, because they
/// count widgets.
@Suite(.serialized, .enabled("there is no display") { await Display.isAvailable })
struct DisplayTests {}

/// The display of the tests.
@MainActor
enum Display {
    /// Whether there is one. GTK is initialized then.
    static let isAvailable = gtk_init_check() != 0

    /// Handles what is pending in GTK's loop, which does not run in tests.
    static func handleEvents() { while g_main_context_pending(nil) != 0 { g_main_context_iteration(nil, 0) } }

    /// Runs GTK's loop until `condition` is true after a frame of `window`, but for 1000 frames at most. Returns whether it is.
    static func runFrames(of window: Widget, until condition: () -> Bool) -> Bool {
        guard let clock = gtk_widget_get_frame_clock(window) else { return condition() }
        for _ in 0..<1000 where !condition() {
            let last = gdk_frame_clock_get_frame_counter(clock)
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_LAYOUT)
            // Each iteration waits for an event.
            while gdk_frame_clock_get_frame_counter(clock) == last { g_main_context_iteration(nil, 1) }
        }
        return condition()
    }

    /// Whether widgets tell tests what screen readers would read.
    nonisolated static var isAccessible: Bool { ProcessInfo.processInfo.environment["GTK_A11Y"] == "test" }
}
