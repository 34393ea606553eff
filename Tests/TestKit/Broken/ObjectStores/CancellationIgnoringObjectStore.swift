import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that waits for its engine whatever happens.
struct CancellationIgnoringObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    let gate = Gate()

    func remove(_ name: String, deadline: Duration) async throws {
        await gate.wait()
        try await base.remove(name, deadline: deadline)
    }
}
