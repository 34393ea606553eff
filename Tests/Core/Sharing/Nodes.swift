@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport

/// Managers of a fleet, with caches of their own and one that they share.
struct Nodes {
    let origin: FakeOrigin
    let shared: FakeDataCache
    let leases: FakeLeases?
    let clock = ManualClock()
    let disks: [FakeDataCache]
    let managers: [ImageManager]
    /// One element for each image that was decoded.
    let decodes = Recorder<Int>()

    static let url = URL(string: "http://example.com/a.plain")!
    static let small = ImageContext {
        $0.thumbnail = .fit(6, 6)
        $0.waitsForStore = true
    }

    init(
        _ count: Int, _ origin: FakeOrigin, leases: FakeLeases? = nil,
        cache: (any DataCache)? = nil, observer: (any LoadObserver)? = nil, loader: (any ImageLoader)? = nil
    ) throws {
        let (shared, clock, decodes) = (FakeDataCache(), clock, decodes)
        let installed: any ImageLoader = loader ?? origin
        let disks = (0..<count).map { _ in FakeDataCache() }
        (self.origin, self.shared, self.leases, self.disks) = (origin, shared, leases, disks)
        managers = try (0..<count).map { node in
            try ImageManager {
                $0.install(installed)
                $0.install(PlainCoder { _ in decodes.note(node) })
                $0.imageCache = FakeImageCache()
                $0.dataCache = disks[node]
                $0.resultFormat = .plain
                $0.now = { clock.date }
                var options = SharedCaching(cache ?? shared, leases: leases)
                // No time passes, however slow the machine is.
                options.clock = ManualClock()
                $0.shared = options
                if let observer { $0.observers = [observer] }
            }
        }
    }

    /// Loads at one node, and waits until the result is stored and shared.
    func load(at node: Int, _ context: ImageContext = small) async throws -> LoadResult {
        let result = try await managers[node].load(Self.url, context: context)
        await managers[node].waitForStores()
        return result
    }
}

extension FakeOrigin {
    /// An origin server of one image, which is fresh for an hour.
    static func hourly(headers: [String: String] = [:]) -> FakeOrigin {
        var response = FakeOrigin.Response.fresh(Darkbox.file, for: .seconds(3600))
        response.headers.merge(headers) { $1 }
        return FakeOrigin(response)
    }
}
