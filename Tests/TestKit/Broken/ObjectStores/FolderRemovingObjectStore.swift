import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that takes a prefix for a folder.
struct FolderRemovingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func removeAll(under prefix: String, deadline: Duration) async throws {
        let folder = prefix.hasSuffix("/") ? prefix : prefix + "/"
        try await base.removeAll(under: folder, deadline: deadline)
    }
}
