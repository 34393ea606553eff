import ArgumentParser
import Darkroom
import Synchronization

/// The failures of a disk cache that a command fills.
final class CacheFailures: Sendable {
    private let noted = Mutex<[ImageError]>([])

    /// All failures so far, without repetitions of the same cause within a minute.
    var all: [ImageError] { noted.withLock(\.self) }

    /// Prints and remembers `failure`.
    func note(_ failure: ImageError) {
        failure.print()
        noted.withLock { $0.append(failure) }
    }

    /// Ends the command if there are any, which have been printed.
    func check() throws(ExitCode) {
        let failures = all
        guard failures.isEmpty else { throw ExitCode(ExitStatus.of(failures)) }
    }
}
