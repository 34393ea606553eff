import Darkroom
import DarkroomIsolation

/// Checks whether coders can work in processes of their own, and what protects the system from them.
enum IsolationCheck {
    /// Starts one such process, and ends it.
    static var check: Check {
        do {
            let start = ContinuousClock.now
            let protection = try IsolatedCoders.makePool(count: 1).protection
            let time = (ContinuousClock.now - start) / .milliseconds(1)
            let missing = WorkerPool.Protection.all.subtracting(protection)
            let finding = "protected by \(protection); a process starts in \(Int(exactly: time.rounded()) ?? 0) ms"
            guard missing.isEmpty else {
                return Check(name: "isolation", status: .note, finding: "\(finding); the system lacks \(missing)")
            }
            return Check(name: "isolation", finding: finding)
        } catch {
            let message = (error as? ImageError)?.message ?? "\(error)"
            return Check(name: "isolation", status: .note, finding: "not available: \(message)")
        }
    }
}
