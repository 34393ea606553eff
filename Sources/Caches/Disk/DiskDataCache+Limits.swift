import DarkroomCore

// All limits may be changed at any time.
extension DiskDataCache {
    /// The maximum total size of the files of all entries.
    public var byteLimit: Int { store.limits.byteCount }

    /// Changes the size limit, and returns after enforcing it. With zero, nothing is stored.
    public func setByteLimit(_ byteLimit: Int) async throws {
        guard byteLimit >= 0 else {
            throw ImageError(invalidConfiguration: "byteLimit is \(byteLimit), but must not be negative")
        }
        store.changeLimits { $0.byteCount = byteLimit }
        try await worker.runLong { store in try store.evict() }
    }

    /// The age at which an entry becomes a miss; `nil` for no limit.
    public var ageLimit: Duration? {
        get { store.limits.age }
        set { store.changeLimits { $0.age = newValue } }
    }

    /// The date that determines the age of an entry and the order of eviction.
    public var expiryDate: ExpiryDate {
        get { store.limits.date }
        set { store.changeLimits { $0.date = newValue } }
    }
}

extension EntryStore.Limits {
    /// Throws if no entry could ever be stored.
    func check() throws(ImageError) {
        guard byteCount > 0 else {
            throw ImageError(
                invalidConfiguration: "byteLimit is \(byteCount), but must be greater than zero; .max means no limit")
        }
        guard age.map({ $0 > .zero }) ?? true else {
            throw ImageError(invalidConfiguration: "ageLimit must be greater than zero, or nil for no limit")
        }
    }
}

extension ImageError {
    /// Creates an error about an invalid configuration of a disk cache. `message` names the parameter.
    init(invalidConfiguration message: String) { self.init(.storage, .cache, "the disk cache's \(message)") }
}
