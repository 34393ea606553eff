@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

private enum LanguageKey: ImageContextKey {
    static var defaultValue: String { "en" }
    static func effect(of value: String) -> ContextEffect { .nothing }
    static func flightFragment(for value: String) -> String? { value }
}

@Suite(.bounded)
struct VaryTests {
    private static let fields: @Sendable (LoadRequest) -> [String: String] = {
        ["accept-language": $0.context[LanguageKey.self], "accept": "image/*"]
    }
    private let german: @Sendable (inout ImageContext) -> Void = { $0[LanguageKey.self] = "de" }

    private func origin(_ headers: [String: String], _ later: Origin.Response? = nil) -> Origin {
        let first = Origin.picture("max-age=60", .data(Darkbox.file), headers)
        return Origin(first, later ?? first, fields: Self.fields)
    }

    @Test func requestsWithTheSameFieldsShareAnEntry() async throws {
        let origin = origin(["vary": "Accept, Accept-Language"])
        for _ in 0..<2 { _ = try await origin.load(german) }
        #expect(try await origin.load(german).origin == .memory)
        #expect(origin.requests.count == 1)
    }

    @Test(arguments: [
        ("en, de", "eN ,\tDE", 1), ("en, de", "en,de", 1), ("en, de", "de, en", 2), ("en", "en;q=0.9", 2),
        ("", "en", 2), ("de", "de;q=1.000", 1), ("de, en;q=0.5", "EN ; Q=0.50,de", 1),
        ("fr;q=0.2, de;q=1.0, *;q=0.001", "*;q=0.001,de,fr;q=0.20", 1), ("de, en;q=0", "en;q=0.000, de", 1),
        ("de, en;q=0.5", "de, en;q=0.6", 2), ("de, en;q=0.5", "en, de;q=0.5", 2),
        ("de;q=0.5, en;q=0.5", "en;q=0.5, de;q=0.5", 2), ("de, de;q=0.5", "de;q=0.5, de", 2),
        ("de, en;q=x", "en;q=x, de", 2), ("de, en;q=0.1234", "en;q=0.1234, de", 2), ("de, en;q=2", "en;q=2, de", 2),
        ("de, en;q=0.5;a", "en;q=0.5;a, de", 2), ("de,, en;q=0.5", "en;q=0.5, de", 2), ("d\u{E9}", "D\u{C9}", 2),
    ])
    func languagesOfEqualMeaningAreTheSame(first: String, second: String, requestCount: Int) async throws {
        let origin = origin(["vary": "Accept-Language"])
        for languages in [first, second] { _ = try await origin.load { $0[LanguageKey.self] = languages } }
        #expect(origin.requests.count == requestCount)
    }

    @Test(arguments: [
        ("de", "fr;q=0.5, de;q=1.0", 1), ("De", "DE", 1), ("de", "de, *;q=0", 1), ("de", "fr, de;q=0.5", 2),
        ("de", "de, fr", 2), ("de", "de-AT", 2), ("de-AT", "de", 2), ("de, en", "de", 2), ("", "de", 2), ("*", "*", 2),
        ("de", "de;q=0", 2), ("de", "*;q=0.9, de;q=0.8", 2),
    ])
    func imageInTheMostPreferredLanguageIsUsed(language: String, field: String, requestCount: Int) async throws {
        let origin = origin(["vary": "Accept-Language", "content-language": language])
        for languages in ["en, de", field] { _ = try await origin.load { $0[LanguageKey.self] = languages } }
        #expect(origin.requests.count == requestCount)
    }

    @Test func fieldsNotNamedDoNotCount() async throws {
        let origin = origin(["vary": "Accept"])
        _ = try await origin.load(german)
        #expect(try await origin.load().origin == .memory)
        #expect(origin.requests.count == 1)
    }

    @Test func requestWithOtherFieldsReplacesTheEntry() async throws {
        let origin = origin(["vary": "Accept-Language", "etag": "\"1\"", "last-modified": "yesterday"])
        _ = try await origin.load(german)
        for _ in 0..<2 {
            _ = try await origin.load()
            #expect(origin.requests.count == 2)
        }
        _ = try await origin.load(german)
        #expect(origin.requests.map { $0.stored?.headers["etag"] } == [nil, "\"1\"", "\"1\""])
        #expect(origin.requests.allSatisfy { $0.stored?.headers["last-modified"] == nil })
    }

    @Test func notModifiedAssignsTheEntryToTheRequest() async throws {
        let origin = origin(
            ["vary": "Accept-Language", "etag": "\"1\""], Origin.picture("max-age=60", .notModified))
        _ = try await origin.load(german)
        #expect(try await origin.load().origin == .memory)
        #expect(try await origin.load().origin == .memory)
        #expect(origin.requests.count == 2)
    }

    @Test func entryForOtherFieldsIsAMissOffline() async throws {
        let origin = origin(["vary": "Accept-Language"], Origin.unreachable)
        _ = try await origin.load(german)
        for manager in [origin.manager, origin.restarted()] {
            let miss = await #expect(throws: ImageError.self) {
                try await manager.load(Darkbox.url, context: ImageContext { $0.cacheUse = .cacheOnly })
            }
            #expect(miss?.kind == .cacheOnlyMiss)
        }
        let error = await #expect(throws: ImageError.self) { try await origin.load() }
        #expect(error?.kind == .network)
    }

    @Test func varyStarIsRevalidatedEachTime() async throws {
        let origin = origin(["vary": "*", "etag": "\"1\""], Origin.picture("max-age=60", .notModified))
        _ = try await origin.load()
        for count in 2...3 {
            #expect(try await origin.load().image.bitmap == Darkbox.bitmap)
            #expect(origin.requests.count == count)
        }
        #expect(try await origin.load { $0.cacheUse = .cacheOnly }.isStale)
        #expect(origin.requests.count == 3)
    }

    @Test func fieldsReportedByTheLoaderCount() async throws {
        let origin = origin(["vary": "Accept-Language"]) { _ in
            var response = Origin.response("max-age=60", .data(Darkbox.file), ["vary": "Accept-Language"])
            response.requestFields = ["accept-language": "de"]
            return response
        }
        _ = try await origin.load { $0.cacheUse = .loaderOnly }
        _ = try await origin.load { $0.cacheUse = .loaderOnly }
        #expect(try await origin.load(german).origin == .memory)
        #expect(origin.requests.count == 2)
    }

    @Test func requestsWithOtherFieldsDoNotShareATransfer() async throws {
        let gate = Gate()
        let transfer: Origin.Response = { _ in
            await gate.wait()
            return Origin.response("max-age=60", .data(Darkbox.file), ["vary": "Accept-Language"])
        }
        let origin = Origin(transfer, fields: Self.fields)
        async let first = origin.load(german)
        async let second = origin.load()
        await gate.waitForArrivals(2)
        gate.open()
        _ = try await (first, second)
        #expect(Set(origin.requests.map { $0.context[LanguageKey.self] }) == ["de", "en"])
    }

    @Test func requestModifierDoesNotHideFields() {
        let loader = OriginLoader(base: FakeLoader(Data()), fields: Self.fields).modifyingRequests { _ in }
        #expect(loader.requestFields(for: LoadRequest(url: Darkbox.url))["accept-language"] == "en")
    }
}
