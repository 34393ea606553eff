import CGTK
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs the main actor inside GLib's main loop, in any program that uses GTK or GLib.
///
/// `g_application_run` and `g_main_loop_run` block the main thread, so nothing would run what Swift enqueues on the main
/// actor: a `Task` on it would never begin. After ``attach()``, the loop runs it like its own sources. Programs without a
/// `GApplication` call one of the other functions instead, which also run the loop.
public enum MainActorLoop {
    @MainActor private static var source: guint = 0

    /// Attaches the main actor to the default main context. Call it once, on the main thread, before the loop runs.
    @MainActor public static func attach() {
        guard source == 0 else { return }
        source = g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, drain, nil)
    }

    /// Attaches the main actor, and runs the loop until all windows are closed.
    @MainActor public static func runUntilWindowsClose() {
        attach()
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }

    /// Attaches the main actor, and runs the loop until `body` has ended.
    @MainActor public static func run(_ body: @escaping @MainActor () async -> Void) {
        attach()
        // The task is on the main actor, too.
        nonisolated(unsafe) let loop = g_main_loop_new(nil, 0)
        Task {
            await body()
            g_main_loop_quit(loop)
        }
        g_main_loop_run(loop)
        g_main_loop_unref(loop)
    }
}

/// Runs what is enqueued on the main actor.
private func drain(descriptor: Int32, condition: GIOCondition, data: gpointer?) -> gboolean {
    // While the counter is not read, the descriptor stays ready, and nothing is ever drawn.
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    MainThread.measure("main actor") { _dispatch_main_queue_callback_4CF(nil) }
    return 1
}
