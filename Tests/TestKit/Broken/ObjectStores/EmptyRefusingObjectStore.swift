import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that cannot store an empty object.
struct EmptyRefusingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        guard !bytes.isEmpty else { throw ImageError(.refused, .cache, "there is nothing to store") }
        try await base.put(bytes, as: name, deadline: deadline)
    }
}
