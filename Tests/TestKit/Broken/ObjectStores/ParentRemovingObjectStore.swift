import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that removes the whole folder of a prefix.
struct ParentRemovingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func removeAll(under prefix: String, deadline: Duration) async throws {
        let folder = prefix.prefix { $0 != "p" }
        try await base.removeAll(under: String(folder), deadline: deadline)
    }
}
