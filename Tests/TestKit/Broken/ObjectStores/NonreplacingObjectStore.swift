import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that keeps the first object of a name.
struct NonreplacingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        if base.bytes(of: name) == nil { try await base.put(bytes, as: name, deadline: deadline) }
    }
}
