import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store by whose clock every object is an hour old.
struct AgedObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        var object = try await base.object(name, byteLimit: byteLimit, deadline: deadline)
        object?.age = .seconds(3_600)
        return object
    }
}
