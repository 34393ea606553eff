import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that throws an error for a missing object.
struct MissThrowingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        guard let object = try await base.object(name, byteLimit: byteLimit, deadline: deadline) else {
            throw ImageError(.status, .cache, "the engine responded with status 404")
        }
        return object
    }
}
