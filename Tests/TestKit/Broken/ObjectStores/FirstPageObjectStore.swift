import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that removes only the first page of a list.
struct FirstPageObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func removeAll(under prefix: String, deadline: Duration) async throws {
        for name in base.names.filter({ $0.hasPrefix(prefix) }).sorted().prefix(20) {
            try await base.remove(name, deadline: deadline)
        }
    }
}
