import DarkroomCore

// All limits may be changed at any time.
extension DiskDataCache {
    /// How many bytes the files of all entries may take together.
    public var byteLimit: Int { store.limits.byteCount }

    /// Changes the limit on bytes, and returns when it holds; with zero, nothing is kept.
    public func setByteLimit(_ byteLimit: Int) async throws {
        guard byteLimit >= 0 else { throw ImageError(senseless: "byteLimit is \(byteLimit), and must not be negative") }
        store.changeLimits { $0.byteCount = byteLimit }
        try await worker.run { store in try store.evict() }
    }

    /// How old an entry may be that is still read; `nil` for any age.
    public var maximumAge: Duration? {
        get { store.limits.age }
        set { store.changeLimits { $0.age = newValue } }
    }

    /// The date that tells how old an entry is, and which of two goes first.
    public var expiryDate: ExpiryDate {
        get { store.limits.date }
        set { store.changeLimits { $0.date = newValue } }
    }
}

extension EntryStore.Limits {
    /// Throws when nothing could ever be kept, which nobody who makes a cache can mean.
    func check() throws(ImageError) {
        guard byteCount > 0 else {
            throw ImageError(senseless: "byteLimit is \(byteCount), and must be more than zero; .max is no limit")
        }
        guard age.map({ $0 > .zero }) ?? true else {
            throw ImageError(senseless: "maximumAge must be more than zero, or nil for no limit")
        }
    }
}

extension ImageError {
    /// An error about what a disk cache was told to be, which the sentence names.
    init(senseless message: String) { self.init(.storage, .cache, "the disk cache's \(message)") }
}
