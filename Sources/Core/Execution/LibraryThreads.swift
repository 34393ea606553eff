import Synchronization

/// Whether the libraries of coders may start threads, which a worker process may forbid.
package enum LibraryThreads {
    private static let areForbidden = Atomic(false)

    /// Whether they may start threads.
    package static var areAllowed: Bool { !areForbidden.load(ordering: .relaxed) }

    /// Forbids threads for the rest of the process.
    package static func forbid() { areForbidden.store(true, ordering: .relaxed) }
}
