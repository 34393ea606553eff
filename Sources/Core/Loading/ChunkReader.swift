package import DarkroomPlatform

/// An iterator that can be read in a task of its own, so that cancelling that task ends a read.
package actor ChunkReader {
    private var chunks: any AsyncIteratorProtocol<Data, any Error>

    /// Creates a reader of `chunks`.
    package init(_ chunks: any AsyncSequence<Data, any Error> & Sendable) { self.chunks = chunks.makeAsyncIterator() }

    /// Returns the next chunk. There is one reader, so calls never overlap.
    package func next() async throws -> Data? {
        var current = chunks
        defer { chunks = current }
        return try await current.next(isolation: self)
    }
}
