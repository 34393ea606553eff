@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A loader whose every member returns a distinctive value.
private struct PeculiarLoader: ImageLoader {
    static let refusal = ImageError(.refused, .request, "peculiar")

    func canLoad(_ url: URL) -> Bool { url == Darkbox.url }
    func load(_ request: LoadRequest) async throws -> LoadResponse { LoadResponse(.data(Darkbox.file)) }
    func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
        throw Self.refusal
    }
    func localVersion(of url: URL) -> LocalVersion? { LocalVersion("peculiar") }
    func requestFields(for request: LoadRequest) -> [String: String] { ["peculiar": "1"] }
    func transferState(for request: LoadRequest) -> String { "peculiar" }
    func validate() throws(ImageError) { throw Self.refusal }
    func remembers(_ error: ImageError) -> Bool { error.kind == .crashed }
    var restrictsAccess: Bool { true }
    func check(_ request: LoadRequest) throws(ImageError) { throw Self.refusal }
    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool { route?.hops.count == 3 }
    func install(in components: inout ImageManager.Components) {
        components.loaders.append(self)
        components.resultFormat = .plain
    }
}

private struct SilentWrapper<Base: ImageLoader>: LoaderWrapper {
    let base: Base
}

@Suite(.bounded)
struct LoaderWrapperTests {
    private static let wrappers: [any ImageLoader] = [
        SilentWrapper(base: PeculiarLoader()), PeculiarLoader().limited(), PeculiarLoader().retrying(),
        PeculiarLoader().decrypting(.base64), PeculiarLoader().modifyingResponses { _, _ in },
        SilentWrapper(base: PeculiarLoader().limited()).retrying(),
    ]

    @Test(arguments: wrappers.indices) func wrapperForwardsEverythingElseToItsBase(_ index: Int) async throws {
        let loader = Self.wrappers[index]
        let request = LoadRequest(url: Darkbox.url)
        let hop = SourceRoute.Hop(url: Darkbox.url)
        #expect(loader.canLoad(Darkbox.url) && !loader.canLoad(URL(filePath: "/")))
        #expect(loader.localVersion(of: Darkbox.url)?.read() == "peculiar")
        #expect(loader.requestFields(for: request) == ["peculiar": "1"])
        #expect(loader.transferState(for: request) == "peculiar")
        #expect(loader.remembers(ImageError(.crashed, .load, "")) && !loader.remembers(.cancelled))
        #expect(loader.restrictsAccess)
        #expect(loader.permits(SourceRoute([hop, hop, hop]), for: request) && !loader.permits(nil, for: request))
        #expect(throws: ImageError.self) { try loader.validate() }
        #expect(throws: ImageError.self) { try loader.check(request) }
        #expect(throws: ImageError.self) { try loader.accepted(LoadResponse(.notModified), for: request) }
        var components = ImageManager.Components()
        components.install(loader)
        #expect(components.loaders.count == 1 && components.resultFormat?.identifier == ImageFormat.plain.identifier)
        #expect(components.loaders.last.map { type(of: $0) == type(of: loader) } == true)
    }

    @Test func emptyWrapperReturnsTheResponseOfItsBase() async throws {
        let response = try await SilentWrapper(base: PeculiarLoader()).load(LoadRequest(url: Darkbox.url))
        guard case .data(let data) = response.body else { throw ImageError(.internal, .load, "no data") }
        #expect(data == Darkbox.file)
    }

    @Test func credentialsArePermittedByDefaultToRequestsThatSendThem() {
        let route = SourceRoute([
            .init(url: Darkbox.url, credentials: ["authorization"]), .init(url: Darkbox.url, credentials: ["cookie"]),
        ])
        let request = LoadRequest(url: Darkbox.url)
        for (fields, isPermitted) in [
            ([:], false), (["cookie": "*"], false), (["cookie": "*", "authorization": "*"], true),
            (["cookie": "*", "authorization": ""], false),
        ] as [([String: String], Bool)] {
            let loader = OriginLoader(base: FakeLoader(Data())) { _ in fields }
            #expect(loader.permits(route, for: request) == isPermitted)
            #expect(loader.permits(nil, for: request) && loader.permits(route.withoutCredentials, for: request))
            #expect(!loader.restrictsAccess)
        }
    }
}
