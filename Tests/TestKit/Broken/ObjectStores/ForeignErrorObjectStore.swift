import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that throws errors of its own type.
struct ForeignErrorObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    private struct TooLong: Error {}

    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        guard base.bytes(of: name).map({ $0.count <= byteLimit }) ?? true else { throw TooLong() }
        return try await base.object(name, byteLimit: byteLimit, deadline: deadline)
    }
}
