import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

/// An object store that shows an object while it is written.
struct TornObjectStore: ObjectStoreWrapper {
    let base = FakeObjectStore()

    func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        for byteCount in stride(from: 0, to: bytes.count, by: 200) {
            try await base.put(bytes.prefix(byteCount), as: name, deadline: deadline)
        }
        let mixed = (base.bytes(of: name) ?? Data()).prefix(200) + bytes.dropFirst(200)
        try await base.put(mixed, as: name, deadline: deadline)
    }
}
