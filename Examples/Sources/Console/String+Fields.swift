extension StringProtocol where SubSequence == Substring {
    /// The parts between the ASCII bytes `separator`, empty ones included; at least one.
    ///
    /// Bytes, because a combining mark behind a separator makes another `Character` of it.
    package func fields(separatedBy separator: UInt8, maxSplits: Int = .max) -> [Substring] {
        self[...].utf8.split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
