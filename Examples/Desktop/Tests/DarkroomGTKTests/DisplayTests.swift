import CGTK
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

    /// Whether widgets tell tests what screen readers would read.
    nonisolated static var isAccessible: Bool { ProcessInfo.processInfo.environment["GTK_A11Y"] == "test" }
}
