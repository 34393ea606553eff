import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that shows an object while it replaces another one.
struct TornObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()
    private let isHalfWritten = Gate()
    private let isRead = Gate()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        await isHalfWritten.wait()
        let object = try await base.object(name, byteLimit: byteLimit, deadline: deadline)
        isRead.open()
        return object
    }

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        guard base.bytes(of: name) != nil else { return try await base.put(bytes, as: name, deadline: deadline) }
        try await base.put(bytes.prefix(bytes.count / 2), as: name, deadline: deadline)
        isHalfWritten.open()
        await isRead.wait()
        try await base.put(bytes, as: name, deadline: deadline)
    }
}
