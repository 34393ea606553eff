/// The one reader of a state that others change, which sleeps until something has changed.
///
/// It is kept with that state, under the same lock. A second reader ends the process, instead of leaving the first one
/// asleep for ever.
package struct ReaderSlot: Sendable {
    private var reader: CheckedContinuation<Void, Never>?
    private var hasChanged = false

    /// Creates a slot without a reader.
    package init() {}

    /// Whether the reader is asleep.
    package var isAsleep: Bool { reader != nil }

    /// Forgets the changes so far: the reader sees them now.
    package mutating func look() { hasChanged = false }

    /// Lets `reader` sleep until the next change. Returns `false` if something has changed since it last slept or
    /// looked: then the caller resumes it, after it has released the lock.
    package mutating func sleep(_ reader: CheckedContinuation<Void, Never>) -> Bool {
        precondition(self.reader == nil, "a state that is being read is read a second time")
        guard !hasChanged else {
            hasChanged = false
            return false
        }
        self.reader = reader
        return true
    }

    /// Records a change. Returns the reader if it is asleep: the caller resumes it, after it has released the lock.
    package mutating func wake() -> CheckedContinuation<Void, Never>? {
        hasChanged = reader == nil
        return reader.take()
    }
}
