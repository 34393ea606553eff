#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How far a slot of an `ImageTarget` is.
public struct SlotState: Hashable, Sendable {
    /// What was asked for last, whatever became of it.
    public internal(set) var url: URL?

    /// Whether a load is under way.
    public internal(set) var isLoading = false

    /// How many bytes have come; 1 of 1 for a picture that was in a cache.
    public internal(set) var receivedByteCount = 0

    /// How many bytes there will be, if that is known.
    public internal(set) var expectedByteCount: Int?

    /// How much of the bytes has come, 0 to 1; 0 when it is not known how many there will be.
    public var fraction: Double {
        guard let expectedByteCount, expectedByteCount > 0 else { return 0 }
        return min(max(Double(receivedByteCount) / Double(expectedByteCount), 0), 1)
    }
}
