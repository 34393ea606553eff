@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// User info, and query items that a key filter removes, are in no stored entry.
@Suite(.bounded)
struct StoredSecretTests {
    /// A filter that removes the query.
    private struct NoQuery: CacheKeyFilter {
        func key(for url: URL, soFar: String, context: ImageContext) -> String? {
            String(soFar.prefix { $0 != "?" })
        }
    }

    private static let url = URL(string: "http://alice:secret@example.com/a.plain?w=3&token=secret")!

    /// A response from the URL of the request, by a route over it.
    private static let loader = FakeLoader { request in
        var response = LoadResponse(
            .data(Darkbox.file),
            metadata: ResponseMetadata(url: request.url, status: 200, headers: ["cache-control": "max-age=100000"]))
        response.route = SourceRoute([.init(url: request.url, address: "192.0.2.1")])
        return response
    }

    private static func text(of entry: DataEntry) throws -> String {
        String(decoding: try JSONEncoder().encode(entry.metadata), as: UTF8.self)
    }

    @Test func noSecretIsStored() async throws {
        let box = Darkbox(Self.loader) { $0.install(NoQuery()) }
        for context in [ImageContext(), ImageContext { $0.thumbnail = .fit(6, 6) }] {
            _ = try await box.manager.load(Self.url, context: context)
            _ = try await box.manager.encoded(Self.url, context: context, as: .plain)
        }
        await box.manager.waitForStores()
        #expect(box.data.keys.count == 4)
        for key in box.data.keys {
            let entry = try #require(try await box.data.entry(for: key))
            let text = try Self.text(of: entry) + key.source
            #expect(!text.contains("secret") && !text.contains("alice") && text.contains("example.com"), "\(text)")
        }
    }

    @Test func queryIsKeptWithoutAFilter() async throws {
        let box = Darkbox(Self.loader)
        let url = try #require(URL(string: "http://example.com/a.plain?w=3"))
        let key = try #require(try await box.manager.load(url, context: ImageContext { $0.waitsForStore = true }).key)
        #expect(key.source == url.absoluteString)
        let entry = try #require(try await box.data.entry(for: key))
        #expect(entry.metadata.response?.url == url && entry.metadata.original?.route?.hops.first?.url == url)
    }

    /// Users must not see each other's images, although their names and passwords are not in the key.
    @Test func eachUserHasEntriesOfTheirOwn() async throws {
        let box = Darkbox(Self.loader)
        let other = try #require(URL(string: "http://bob:secret@example.com/a.plain?w=3&token=secret"))
        for url in [Self.url, other] {
            #expect(try await box.manager.load(url).origin == .network)
            #expect(try await box.manager.load(url).origin == .memory)
            #expect(box.manager.cachedImage(for: url) != nil)
        }
        try await box.manager.removeAll(of: other)
        #expect(box.manager.cachedImage(for: other) == nil && box.manager.cachedImage(for: Self.url) != nil)
    }

    @Test func confirmedEntryHasNoSecretsEither() async throws {
        let origin = FakeLoader { request in
            LoadResponse(
                request.stored == nil ? .data(Darkbox.file) : .notModified,
                metadata: ResponseMetadata(
                    url: request.url, status: request.stored == nil ? 200 : 304,
                    headers: ["cache-control": "max-age=0", "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"]))
        }
        let box = Darkbox(origin) { $0.install(NoQuery()) }
        let context = ImageContext { $0.waitsForStore = true }
        let key = try #require(try await box.manager.load(Self.url, context: context).key)
        #expect(try await box.manager.load(Self.url, context: context).report.decision == .revalidated)
        #expect(origin.requests.count == 2, "the URL of the 304 is compared without its secrets")
        let entry = try #require(try await box.data.entry(for: key))
        #expect(try !Self.text(of: entry).contains("secret"))
    }
}
