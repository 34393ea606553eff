@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct ModifierTests {
    private static func response(_ status: Int, _ headers: [String: String] = [:]) -> LoadResponse {
        LoadResponse(
            .data(Darkbox.file), metadata: ResponseMetadata(url: Darkbox.url, status: status, headers: headers))
    }

    @Test func headersAreMergedAndTheStatusIs200UnlessGiven() async throws {
        let base = FakeLoader { _ in Self.response(404, ["etag": "1", "cache-control": "no-store"]) }
        let request = LoadRequest(url: Darkbox.url)
        let ok = try await base.modifyingResponses(headers: ["Cache-Control": "max-age=9"]).load(request)
        #expect(ok.metadata?.status == 200)
        #expect(ok.metadata?.headers == ["etag": "1", "cache-control": "max-age=9"])
        let created = try await base.modifyingResponses(status: 201).load(request)
        #expect(created.metadata?.status == 201 && created.metadata?.headers["etag"] == "1")
    }

    @Test func responseWithoutMetadataStaysWithoutMetadata() async throws {
        let loader = FakeLoader(Darkbox.file).modifyingResponses(headers: ["a": "b"])
        #expect(try await loader.load(LoadRequest(url: Darkbox.url)).metadata == nil)
    }

    @Test func modifiersOfALoadAreAppliedInOrder() async throws {
        let steps = Recorder<String>()
        let box = Darkbox(
            FakeLoader { request in
                steps.note("load \(request.url.lastPathComponent)")
                return Self.response(200)
            })
        let result = try await box.load {
            $0.requestModifier = { request in
                steps.note("request")
                request.url = URL(string: "http://example.com/b.plain")!
            }
            $0.responseModifier = { response, request in
                steps.note("response \(request.url.lastPathComponent)")
                response.metadata?.status = 203
            }
            $0.decryptor = Decryptor { data, metadata in
                steps.note("decrypt \(metadata?.status ?? 0)")
                return data
            }
        }
        #expect(steps.values == ["request", "load b.plain", "response b.plain", "decrypt 203"])
        #expect(result.image.bitmap == Darkbox.bitmap)
    }

    /// Also those inside of limits and retries, which keep applying.
    @Test func modifiersOfALoadReplaceThoseOfTheLoader() async throws {
        let steps = Recorder<String>()
        let base = FakeLoader { _ in
            steps.note("load")
            return Self.response(200)
        }
        let decryptor = { (name: String) in
            Decryptor { data, _ in
                steps.note("\(name) decrypt")
                return data
            }
        }
        let loader = base.modifyingRequests { _ in steps.note("own request") }
            .modifyingResponses { _, _ in steps.note("own response") }
            .decrypting(decryptor("own")).limited(to: 1).retrying()
        let request = LoadRequest(url: Darkbox.url)
        _ = try await loader.applying(ImageContext()).load(request)
        #expect(steps.values == ["own request", "load", "own response", "own decrypt"])
        let context = ImageContext {
            $0.requestModifier = { _ in steps.note("request") }
            $0.responseModifier = { _, _ in steps.note("response") }
            $0.decryptor = decryptor("given")
        }
        _ = try await loader.applying(context).load(request)
        #expect(steps.values.dropFirst(4) == ["request", "load", "response", "given decrypt"])
    }

    @Test func modifiersOfALoadDoNotAffectOtherMembersOfTheLoader() {
        let loader = FakeLoader(Darkbox.file, version: "7")
        #expect(loader.applying(ImageContext()) is FakeLoader)
        let applied = loader.applying(ImageContext { $0.requestModifier = { _ in } })
        #expect(applied.canLoad(Darkbox.url) && applied.localVersion(of: Darkbox.url)?.read() == "7")
    }

    @Test func onlyCopiesOfAContextShareRuns() {
        let settings: [@Sendable (inout ImageContext) -> Void] = [
            { $0.requestModifier = { _ in } },
            { $0.responseModifier = { _, _ in } },
            { $0.decryptor = .base64 },
        ]
        for set in settings {
            let (one, other) = (ImageContext(set), ImageContext(set))
            let copy = one
            #expect(one.variant.parts.isEmpty && one.flightFragments.count == 1)
            #expect(one.flightFragments != other.flightFragments && one.flightFragments == copy.flightFragments)
            var unset = one
            unset.requestModifier = nil
            unset.responseModifier = nil
            unset.decryptor = nil
            #expect(unset.flightFragments.isEmpty)
        }
    }

    @Test func loadsWithDifferentModifiersDoNotShareATransfer() async throws {
        let gate = Gate()
        // The load without a modifier waits, too, or the others would find its original on disk.
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return Self.response(200)
            })
        let shared = ImageContext { $0.requestModifier = { _ in await gate.wait() } }
        let own = ImageContext { $0.requestModifier = { _ in await gate.wait() } }
        let tasks = [shared, shared, own, ImageContext()].map { context in
            Task.immediate { _ = try await box.manager.load(Darkbox.url, context: context) }
        }
        await gate.waitForArrivals(3)
        gate.open()
        for task in tasks { try await task.value }
        #expect(box.loader.requests.count == 3)
    }

    @Test func wrapperInstallsEverythingThatItsBaseInstalls() {
        struct Filter: CacheKeyFilter {
            func key(for url: URL, soFar text: String, context: ImageContext) -> String? { "filtered" }
        }
        struct Bundle: ImageLoader {
            func canLoad(_ url: URL) -> Bool { true }
            func load(_ request: LoadRequest) async throws -> LoadResponse { LoadResponse(.data(Data())) }
            func install(in components: inout ImageManager.Components) {
                components.loaders.append(self)
                Filter().install(in: &components)
            }
        }
        for wrapped in [Bundle().retrying() as any ImageLoader, Bundle().limited(), Bundle().retrying().limited()] {
            var components = ImageManager.Components()
            components.install(FakeLoader(Data()))
            components.install(wrapped)
            #expect(components.keyFilters.count == 1 && components.loaders.count == 2)
            #expect(components.loaders.last.map { type(of: $0) == type(of: wrapped) } == true)
        }
    }
}
