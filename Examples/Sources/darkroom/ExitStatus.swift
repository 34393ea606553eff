import Darkroom

/// The exit status of the process.
enum ExitStatus {
    /// A source failed.
    static let failure: Int32 = 1
    /// The arguments are invalid.
    static let usage: Int32 = 2
    /// A limit was exceeded.
    static let overLimit: Int32 = 3
    /// The origin was unreachable, or did not return an image in time.
    static let network: Int32 = 4

    private static let networkKinds: Set<ImageError.Kind> = [.network, .status, .contentType, .timedOut]

    /// Returns 0 if there are no failures, and `overLimit` or `network` only if all failures are of that kind.
    static func of(_ failures: [ImageError]) -> Int32 {
        guard !failures.isEmpty else { return 0 }
        if failures.allSatisfy({ $0.kind == .overLimit }) { return overLimit }
        return failures.allSatisfy { networkKinds.contains($0.kind) } ? network : failure
    }
}
