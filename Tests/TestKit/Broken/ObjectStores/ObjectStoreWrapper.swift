import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that forwards to `base`, except for the members that a conforming type implements.
protocol ObjectStoreWrapper: ObjectStore {
    /// The store to which calls are forwarded.
    var base: FakeObjectStore { get }
}

extension ObjectStoreWrapper {
    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        try await base.object(name, byteLimit: byteLimit, deadline: deadline)
    }
    func contains(_ name: String, deadline: Duration) async throws -> Bool {
        try await base.contains(name, deadline: deadline)
    }
    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        try await base.put(bytes, as: name, deadline: deadline)
    }
    func remove(_ name: String, deadline: Duration) async throws {
        try await base.remove(name, deadline: deadline)
    }
    func removeAll(under prefix: String, deadline: Duration) async throws {
        try await base.removeAll(under: prefix, deadline: deadline)
    }
}
