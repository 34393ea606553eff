import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that waits for its engine whatever happens.
struct CancellationIgnoringObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    let gate = Gate()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        await gate.wait()
        return try await base.object(name, byteLimit: byteLimit, deadline: deadline)
    }
}
