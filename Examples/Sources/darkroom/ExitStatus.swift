import Darkroom

/// What the process tells its caller.
enum ExitStatus {
    /// Some source failed, for whatever reason.
    static let failure: Int32 = 1
    /// The arguments cannot be understood.
    static let usage: Int32 = 2
    /// A limit forbids what was asked.
    static let overLimit: Int32 = 3
    /// The origin could not be reached, or did not answer with a picture in time.
    static let network: Int32 = 4

    private static let networkKinds: Set<ImageError.Kind> = [.network, .status, .contentType, .timedOut]

    /// 0 for no failures; 3 and 4 only when all of them are of that sort.
    static func of(_ failures: [ImageError]) -> Int32 {
        guard !failures.isEmpty else { return 0 }
        if failures.allSatisfy({ $0.kind == .overLimit }) { return overLimit }
        return failures.allSatisfy { networkKinds.contains($0.kind) } ? network : failure
    }
}
