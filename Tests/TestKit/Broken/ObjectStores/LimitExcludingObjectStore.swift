import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that refuses an object of exactly as many bytes as the limit.
struct LimitExcludingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        try await base.object(name, byteLimit: byteLimit - 1, deadline: deadline)
    }
}
