import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that does not wait for its engine.
struct CarelessObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws { base.set(bytes, as: name) }
}
