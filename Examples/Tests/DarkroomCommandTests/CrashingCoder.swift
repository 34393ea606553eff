import Darkroom
import DarkroomIsolation
import Foundation
import InstalledCoders

@testable import DarkroomCommand

/// Called by a constructor in C if the program of the tests was started as a worker.
@_cdecl("darkroom_run_test_worker")
public func runTestWorker() { WorkerProcess.runIfStarted { installCrashingCoders(in: &$0) } }

/// Installs the coders of the command line, and makes those of plug-ins crash on request.
func installCrashingCoders(in components: inout ImageManager.Components) {
    components.install(IsolatedCoders())
    let coders = components.coders.coders
    components.coders.remove { _ in true }
    for coder in coders {
        let isOfPlugin = coder.formats.contains { InstalledCoders.formats.contains($0) }
        components.coders.register(isOfPlugin ? CrashingCoder(base: coder) : coder)
    }
}

/// Whether a `CrashingCoder` crashes.
enum CrashKey: CoderContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .result(value ? "Crash()" : nil) }
}

/// A coder that ends its process while two threads are in its library, and so are the threads that this has started.
struct CrashingCoder: ImageCoder {
    let base: any ImageCoder

    var formats: [ImageFormat] { base.formats }

    var contextKeys: [any CoderContextKey.Type] { base.contextKeys + [CrashKey.self] }

    func canDecode(_ data: Data) -> Bool { base.canDecode(data) }

    func info(of request: InfoRequest) throws -> ImageInfo { try base.info(of: request) }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        guard request.context[CrashKey.self] else { return try base.decode(request) }
        let finished = Count()
        for _ in 0..<2 {
            Thread { [base] in
                while (try? base.decode(request)) != nil { finished.increment() }
                // It was decoded before.
                finished.increment(by: 100)
            }.start()
        }
        finished.wait(for: 10)
        abort()
    }

    /// A count that a thread waits for, without the threads of Dispatch or of tasks.
    private final class Count: @unchecked Sendable {
        // It guards the count.
        private let condition = NSCondition()
        private var count = 0

        func increment(by number: Int = 1) {
            condition.lock()
            count += number
            condition.signal()
            condition.unlock()
        }

        func wait(for number: Int) {
            condition.lock()
            while count < number { condition.wait() }
            condition.unlock()
        }
    }
}
