import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A call of each requirement of a protocol. One that is added needs a row here, because `docs/api` lists it, and the row
/// fails until the wrapper forwards the call.
private struct Row<Cache: Sendable>: Sendable {
    let name: String
    /// The calls that the base is expected to receive; `nil` for the same one.
    var expected: [String]?
    let call: @Sendable (Cache) async throws -> Void
}

private let key = CacheKey(source: "a")
private let response = SourceResponse(of: "a", at: .now())
private let image = Image(info: ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size), bitmap: Darkbox.bitmap)

private let dataRows: [Row<any DataCache>] = [
    Row(name: "entry(for:)") { _ = try await $0.entry(for: key) },
    // Not forwarded: a wrapper that replaces what they are made of would be bypassed.
    Row(name: "peek(at:)", expected: ["entry(for:)"]) { _ = try await $0.peek(at: key) },
    Row(name: "lookUp(_:)", expected: ["ticket(forSource:)", "entry(for:)"]) { _ = await $0.lookUp(key) },
    Row(name: "entryInMemory(for:)") { _ = $0.entryInMemory(for: key) },
    Row(name: "store(_:for:)") { try await $0.store(DataEntry(Data()), for: key) },
    Row(name: "store(_:for:with:)") { try await $0.store(DataEntry(Data()), for: key, with: .unchecked) },
    Row(name: "ticket(forSource:)") { _ = try await $0.ticket(forSource: "a") },
    Row(name: "startGeneration(of:after:)") { _ = try await $0.startGeneration(of: response, after: nil) },
    Row(name: "update(_:for:)") { try await $0.update(DataEntry.Metadata(), for: key) },
    Row(name: "contains(_:)") { _ = try await $0.contains(key) },
    Row(name: "remove(_:)") { try await $0.remove(key) },
    Row(name: "removeAll(ofSource:)") { try await $0.removeAll(ofSource: "a") },
    Row(name: "removeAll()") { try await $0.removeAll() },
    Row(name: "trim()") { try await $0.trim() },
    Row(name: "respond(to:)") { $0.respond(to: .warning) },
]

private let imageRows: [Row<any ImageCache>] = [
    Row(name: "image(for:)") { _ = $0.image(for: key) },
    Row(name: "store(_:for:)") { $0.store(image, for: key) },
    Row(name: "store(_:for:with:)") { $0.store(image, for: key, with: .unchecked) },
    Row(name: "ticket(forSource:)") { _ = $0.ticket(forSource: "a") },
    Row(name: "startGeneration(of:after:)") { _ = $0.startGeneration(of: response, after: nil) },
    Row(name: "contains(_:)") { _ = $0.contains(key) },
    Row(name: "images(ofSource:)") { _ = $0.images(ofSource: "a") },
    Row(name: "remove(_:)") { $0.remove(key) },
    Row(name: "removeAll(ofSource:)") { $0.removeAll(ofSource: "a") },
    Row(name: "removeAll()") { $0.removeAll() },
    Row(name: "respond(to:)") { $0.respond(to: .warning) },
    Row(name: "memoryTenants") { _ = $0.memoryTenants },
]

struct CacheWrapperTests {
    @Test(arguments: dataRows.indices) func dataCallsReachTheBase(_ index: Int) async throws {
        let (row, base) = (dataRows[index], CalledDataCache())
        try await row.call(SilentDataWrapper(base: base))
        #expect(base.calls.values == row.expected ?? [row.name])
    }

    @Test(arguments: imageRows.indices) func imageCallsReachTheBase(_ index: Int) async throws {
        let (row, base) = (imageRows[index], CalledImageCache())
        try await row.call(SilentImageWrapper(base: base))
        #expect(base.calls.values == row.expected ?? [row.name])
    }

    @Test(arguments: [("DataCache", dataRows.map(\.name)), ("ImageCache", imageRows.map(\.name))])
    func everyRequirementIsCalled(of name: String, _ called: [String]) throws {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let api = try String(contentsOf: root.appending(path: "docs/api/DarkroomCore.txt"), encoding: .utf8)
        let members = api.split(separator: "\n").filter { $0.hasPrefix("\(name).") }
        let required = members.map { $0.dropFirst(name.count + 1).split(separator: ": ")[0] }
        #expect(required.map(String.init).sorted() == called.sorted())
    }

    @Test func replacedEntriesAreFoundByEveryLookup() async throws {
        let base = FakeDataCache()
        try await base.store(DataEntry(Data("base".utf8)), for: key)
        let wrapper = ReplacingWrapper(base: base)
        #expect(try await wrapper.peek(at: key)?.data == Data("wrapper".utf8))
        let lookup = await wrapper.lookUp(key)
        #expect(try lookup.entry.get()?.data == Data("wrapper".utf8))
        #expect(lookup.ticket.generation == 17)
    }
}

private struct SilentDataWrapper<Base: DataCache>: DataCacheWrapper {
    let base: Base
}

private struct SilentImageWrapper<Base: ImageCache>: ImageCacheWrapper {
    let base: Base
}

private struct ReplacingWrapper: DataCacheWrapper {
    let base: FakeDataCache

    func entry(for key: CacheKey) async throws -> DataEntry? { DataEntry(Data("wrapper".utf8)) }
    func ticket(forSource source: String) async throws -> StoreTicket { StoreTicket(generation: 17) }
}

/// A cache that records the names of the members that are called.
private struct CalledDataCache: DataCache {
    let calls = Recorder<String>()

    private func note<Result>(_ result: Result, name: String = #function) -> Result {
        calls.note(name)
        return result
    }

    func entry(for key: CacheKey) async throws -> DataEntry? { note(nil) }
    func peek(at key: CacheKey) async throws -> DataEntry? { note(nil) }
    func lookUp(_ key: CacheKey) async -> DataLookup { note(DataLookup(ticket: .unchecked, entry: .success(nil))) }
    func entryInMemory(for key: CacheKey) -> DataEntry? { note(nil) }
    func store(_ entry: DataEntry, for key: CacheKey) async throws { note(()) }
    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws { note(()) }
    func ticket(forSource source: String) async throws -> StoreTicket { note(.unchecked) }
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        note(nil)
    }
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws { note(()) }
    func contains(_ key: CacheKey) async throws -> Bool { note(false) }
    func remove(_ key: CacheKey) async throws { note(()) }
    func removeAll(ofSource source: String) async throws { note(()) }
    func removeAll() async throws { note(()) }
    func trim() async throws { note(()) }
    func respond(to pressure: MemoryPressure) { note(()) }
}

/// A cache that records the names of the members that are called.
private struct CalledImageCache: ImageCache {
    let calls = Recorder<String>()

    private func note<Result>(_ result: Result, name: String = #function) -> Result {
        calls.note(name)
        return result
    }

    func image(for key: CacheKey) -> Image? { note(nil) }
    func store(_ image: Image, for key: CacheKey) { note(()) }
    func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) { note(()) }
    func ticket(forSource source: String) -> StoreTicket { note(.unchecked) }
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? { note(nil) }
    func contains(_ key: CacheKey) -> Bool { note(false) }
    func images(ofSource source: String) -> [(CacheKey, Image)] { note([]) }
    func remove(_ key: CacheKey) { note(()) }
    func removeAll(ofSource source: String) { note(()) }
    func removeAll() { note(()) }
    func respond(to pressure: MemoryPressure) { note(()) }
    var memoryTenants: [any MemoryBudget.Tenant] { note([]) }
}
