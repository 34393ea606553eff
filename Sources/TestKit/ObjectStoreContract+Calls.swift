import DarkroomCore
import DarkroomFleet
import DarkroomPlatform

extension ObjectStoreContract {
    /// Runs `body` with a prefix that no other check uses, and removes what is stored below it.
    func withFolder(_ body: (_ folder: String) async throws -> Void) async throws {
        let folder = "\(prefix)\(UUID().uuidString)/"
        do {
            try await body(folder)
        } catch {
            try? await store.removeAll(under: folder, deadline: deadline)
            throw error
        }
        try await removeAll(under: folder)
    }

    func put(_ bytes: Data, as name: String) async throws {
        try await running("storing \(bytes.count) bytes as \(name)") {
            try await store.put(bytes, as: name, deadline: deadline)
        }
    }

    func removeAll(under prefix: String) async throws {
        try await running("removing all under \(prefix)") {
            try await store.removeAll(under: prefix, deadline: deadline)
        }
    }

    /// Requires that the object `name` has `bytes`, or is missing if they are `nil`, also according to `contains`.
    func require(_ name: String, has bytes: Data?, _ circumstances: String) async throws {
        let object = try await object(name)
        switch (bytes, object?.bytes) {
        case (nil, nil): break
        case (nil, _): throw subject.violation("\(circumstances) is not a miss")
        case (_, nil): throw subject.violation("\(circumstances) is a miss")
        case (let expected, let found):
            try subject.require(expected == found, "\(circumstances) has other bytes")
        }
        let isContained = try await running("contains") { try await store.contains(name, deadline: deadline) }
        try subject.require(
            isContained == (bytes != nil),
            "\(circumstances) is \(isContained ? "contained, but cannot be read" : "not contained, but can be read")")
    }

    /// Requires that the object `name` is one of `objects`.
    func requireOne(of objects: [Data], as name: String, _ circumstances: String) async throws {
        guard let bytes = try await object(name)?.bytes else {
            throw subject.violation("an object is missing \(circumstances)")
        }
        try subject.require(objects.contains(bytes), "an object is torn \(circumstances)")
    }

    /// Requires that `error` is an `ImageError` with a message, or a cancellation.
    func requireProper(_ error: any Error, _ circumstances: String) throws {
        if error is ContractViolation { throw error }
        if error.isCancellation { return }
        guard let error = error as? ImageError else {
            throw subject.violation("\(circumstances) ends in an error that is not an ImageError: \(error)")
        }
        try subject.require(!error.message.isEmpty, "\(circumstances) ends in an error without a message")
    }

    /// Runs `body`, which must not fail, and converts its errors to violations.
    func running<Result>(_ circumstances: String, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            if error is ContractViolation { throw error }
            throw subject.violation("\(circumstances) ends in \(error)")
        }
    }

    private func object(_ name: String) async throws -> StoredObject? {
        try await running("reading \(name)") {
            try await store.object(name, byteLimit: 8 << 20, deadline: deadline)
        }
    }
}
