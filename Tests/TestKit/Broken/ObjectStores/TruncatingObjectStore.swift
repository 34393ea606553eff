import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that stores only the first 64 KiB.
struct TruncatingObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        try await base.put(bytes.prefix(64 << 10), as: name, deadline: deadline)
    }
}
