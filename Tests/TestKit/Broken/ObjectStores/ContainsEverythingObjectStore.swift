import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that claims to contain every object.
struct ContainsEverythingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func contains(_ name: String, deadline: Duration) async throws -> Bool { true }
}
