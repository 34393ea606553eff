import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that removes nothing.
struct NonremovingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func remove(_ name: String, deadline: Duration) async throws {}
}
