/// The version of a source on this machine, such as the inode and date of a file. Sources with equal texts are the same.
public struct LocalVersion: Sendable {
    /// The text, if it need not be read.
    let knownText: String?
    private let readNow: @Sendable () -> String
    private let readElsewhere: @Sendable () async throws -> String

    /// Creates a version that is known.
    public init(_ text: String) {
        knownText = text
        readNow = { text }
        readElsewhere = { text }
    }

    /// Creates a version that `read` returns. It may block, such as on the status of a file.
    ///
    /// Loads call it on a thread that serves all such versions of the process. If it has not returned after half a minute, they
    /// go on without it, as do all others that wait for that thread, and the source counts as changed.
    public init(reading read: @escaping @Sendable () -> String) {
        self.init(reading: read) { try await Self.executor.run(watchedBy: Self.watch, read) }
    }

    /// Creates a version that loads read with `elsewhere`, which blocks no thread of theirs.
    package init(
        reading read: @escaping @Sendable () -> String, elsewhere: @escaping @Sendable () async throws -> String
    ) {
        (knownText, readNow, readElsewhere) = (nil, read, elsewhere)
    }

    /// Returns the text, read on this thread. It may block.
    public func read() -> String { readNow() }

    /// Returns the text; `nil` if it cannot be read, or the task is cancelled before.
    func current() async -> String? {
        let text = FirstValue<String>()
        _ = Task.starting { text.offer(try? await readElsewhere()) }
        return await text.value(ifCancelled: nil)
    }

    private static let executor = WorkExecutor(name: "versions", width: 1)
    private static let watch = HangWatch.forSources()
}
