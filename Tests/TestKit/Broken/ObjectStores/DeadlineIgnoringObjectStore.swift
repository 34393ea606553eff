import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that ignores its deadlines.
struct DeadlineIgnoringObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        try await base.object(name, byteLimit: byteLimit, deadline: .seconds(3_600))
    }
}
