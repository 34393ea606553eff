import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import ThumbnailServerProgram

/// The wait for stores before the program exits.
@Suite(.bounded, .bug(id: "Fix servers that do not exit while a store hangs"))
struct StoreWaitTests {
    /// A cache whose stores wait at a gate.
    private struct HangingCache: DataCacheWrapper {
        let base = FakeDataCache()
        let gate: Gate

        func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
            await gate.wait()
            try await base.store(entry, for: key, with: ticket)
        }
    }

    @Test func storesThatHangAreNotWaitedFor() async throws {
        let gate = Gate()
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.loaders = [
                FakeLoader { request in
                    let fields = ["cache-control": "max-age=1000"]
                    return LoadResponse(
                        .data(image), metadata: ResponseMetadata(url: request.url, status: 200, headers: fields))
                }
            ]
            $0.dataCache = HangingCache(gate: gate)
        }
        let url = try #require(URL(string: "https://example.com/a.png"))
        _ = try await manager.encoded(url, as: .png)
        await gate.waitForArrivals()
        #expect(await manager.waitForStores(within: .zero) == false)
        gate.open()
        #expect(await manager.waitForStores(within: .seconds(3600)))
    }
}
