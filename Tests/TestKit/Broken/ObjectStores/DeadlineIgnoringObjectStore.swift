import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that ignores its deadlines.
struct DeadlineIgnoringObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        try await base.put(bytes, as: name, deadline: .seconds(3_600))
    }
}
