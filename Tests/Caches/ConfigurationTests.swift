import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// An impossible configuration is an error at creation, with a message that names the parameter.
@Suite struct ConfigurationTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(arguments: [0, -1, .min]) func limitThatAllowsNothingIsAnError(_ byteLimit: Int) {
        expectError(naming: "byteLimit") { try folder.plainCache(byteLimit: byteLimit) }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func anAgeThatAllowsNothingIsAnError(_ age: Duration) {
        expectError(naming: "ageLimit") { try folder.plainCache(ageLimit: age) }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func trimmingWithoutAPauseIsAnError(_ interval: Duration) {
        expectError(naming: "trimInterval") { try folder.plainCache(trimInterval: interval) }
    }

    @Test func fileInPlaceOfTheDirectoryIsAnError() throws {
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        expectError(naming: "directory") { try DiskDataCache(directory: file) }
    }

    @Test func limitMayBeSetToZeroButNotLess() async throws {
        let cache = try folder.plainCache()
        await #expect(throws: ImageError.self) { try await cache.setByteLimit(-1) }
        try await cache.store(DataEntry(Data([1])), for: "a")
        try await cache.setByteLimit(0)
        #expect(try await !cache.contains("a"))
    }

    private func expectError(naming knob: String, _ body: () throws -> DiskDataCache) {
        let error = #expect(throws: ImageError.self) { try body() }
        #expect(error?.kind == .storage)
        #expect(error?.message.contains(knob) == true)
    }
}
