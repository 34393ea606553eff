import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that ignores the limit of bytes.
struct LimitIgnoringObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        try await base.object(name, byteLimit: .max, deadline: deadline)
    }
}
