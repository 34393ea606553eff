extension StringProtocol where SubSequence == Substring {
    /// Returns the parts between the ASCII bytes `separator`, including empty ones; at least one.
    ///
    /// The text is split by bytes, because a combining mark after a separator would merge with it into another
    /// `Character`.
    package func fields(separatedBy separator: UInt8, maxSplits: Int = .max) -> [Substring] {
        self[...].utf8.split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
