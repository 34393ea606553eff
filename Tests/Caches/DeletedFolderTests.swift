import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// A cache folder that is deleted while it is in use.
@Suite(.bounded) struct DeletedFolderTests {
    enum Call: CaseIterable, Sendable {
        case otherURL, sameURL, refresh, thumbnailOfTheImageInMemory, file, store
    }

    private let root: TemporaryDirectory
    private let reports = Recorder<ImageError>()

    private var folder: URL { root.url.appending(path: "cache", directoryHint: .isDirectory) }

    init() throws { root = try TemporaryDirectory() }

    private func manager(_ images: MemoryImageCache = .init()) throws -> ImageManager {
        let cache = try DiskDataCache(directory: folder) { [reports] in reports.note($0) }
        return try ImageManager {
            $0.install(FakeLoader(PlainCoder.file(of: .testCard(12, 8))))
            $0.install(PlainCoder())
            $0.imageCache = images
            $0.dataCache = cache
            $0.resultFormat = .plain
        }
    }

    @Test(arguments: Call.allCases) func firstCallAfterwardsStoresAgain(_ call: Call) async throws {
        let url = try #require(URL(string: "http://example.com/a.plain"))
        let images = MemoryImageCache()
        let manager = try manager(images)
        let image = try await manager.load(url).image
        await manager.waitForStores()
        try FileManager.default.removeItem(at: folder)

        var context = ImageContext()
        let other = try #require(URL(string: "http://example.com/b.plain"))
        switch call {
        case .otherURL: #expect(try await manager.load(other).origin == .network)
        case .sameURL:
            images.removeAll()
            #expect(try await manager.load(url).origin == .network)
        case .refresh:
            context.cacheUse = .refresh
            _ = try await manager.load(url, context: context)
        case .thumbnailOfTheImageInMemory:
            context.thumbnail = .fit(6, 6)
            _ = try await manager.load(url, context: context)
        case .file: _ = try await manager.encoded(other, as: .plain)
        case .store: try await manager.store(image, for: url)
        }
        await manager.waitForStores()
        #expect(reports.values.isEmpty)
        context.cacheUse = .cacheOnly
        let restarted = try self.manager()
        let found = try await restarted.load([.otherURL, .file].contains(call) ? other : url, context: context)
        #expect(found.origin == .disk)
    }

    @Test func removalBeforeItStaysInForce() throws {
        let directory = EntryDirectory(FilePath(text: folder.path))
        try directory.prepare()
        let store = EntryStore(directory, limits: .init(byteCount: 1 << 30))
        let ticket = try store.ticket(forSource: "a")
        try store.removeAll(ofSource: "a")
        try FileManager.default.removeItem(at: folder)
        try store.store(DataEntry(Data([1])), for: "a", with: ticket)
        #expect(try !store.contains("a"))
        try store.store(DataEntry(Data([1])), for: "a", with: try store.ticket(forSource: "a"))
        #expect(try store.contains("a"))
    }

    @Test func removalAfterItIsRememberedUntilThereIsAFolder() throws {
        let directory = EntryDirectory(FilePath(text: folder.path))
        try directory.prepare()
        let store = EntryStore(directory, limits: .init(byteCount: 1 << 30))
        try FileManager.default.removeItem(at: folder)
        let ticket = try store.ticket(forSource: "a")
        try store.removeAll(ofSource: "a")
        let next = try store.ticket(forSource: "a")
        try store.store(DataEntry(Data([1])), for: "a", with: ticket)
        #expect(try !store.contains("a"))
        try store.store(DataEntry(Data([1])), for: "a", with: next)
        #expect(try store.contains("a"))
    }
}
