import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that cannot remove a missing object.
struct MissingRemovalRefusingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func remove(_ name: String, deadline: Duration) async throws {
        guard base.bytes(of: name) != nil else {
            throw ImageError(.status, .cache, "the engine responded with status 404")
        }
        try await base.remove(name, deadline: deadline)
    }
}
