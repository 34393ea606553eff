public import DarkroomPlatform

/// The load state of a slot of an ``ImageTarget``.
public struct SlotState: Hashable, Sendable {
    /// The URL of the last load, whatever its outcome.
    public internal(set) var url: URL?

    /// Whether a load is in progress.
    public internal(set) var isLoading = false

    /// The number of bytes received; 1 of 1 for an image from a cache.
    public internal(set) var receivedByteCount = 0

    /// The expected total number of bytes, if known.
    public internal(set) var expectedByteCount: Int?

    /// The fraction of the bytes received, from 0 to 1; 0 if the total is unknown.
    public var fraction: Double {
        guard let expectedByteCount, expectedByteCount > 0 else { return 0 }
        return min(max(Double(receivedByteCount) / Double(expectedByteCount), 0), 1)
    }
}
