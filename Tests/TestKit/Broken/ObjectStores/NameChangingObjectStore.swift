import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that does not distinguish two permitted characters.
struct NameChangingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        try await base.object(changed(name), byteLimit: byteLimit, deadline: deadline)
    }

    func contains(_ name: String, deadline: Duration) async throws -> Bool {
        try await base.contains(changed(name), deadline: deadline)
    }

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        try await base.put(bytes, as: changed(name), deadline: deadline)
    }

    private func changed(_ name: String) -> String { String(name.map { $0 == "_" ? "-" : $0 }) }
}
