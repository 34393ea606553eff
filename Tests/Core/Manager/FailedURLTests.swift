@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct FailedURLTests {
    private func box(_ configure: @escaping (inout ImageManager.Components) -> Void) -> Darkbox {
        let loader = FakeLoader { _ in throw ImageError(.status, .load, "the origin returned status 404") }
        return Darkbox(loader) {
            $0.install(OriginLoader(base: loader, remembersAll: true))
            configure(&$0)
        }
    }

    @Test(arguments: [nil, Duration.seconds(Int64.max)])
    func failureCanBeRememberedForever(lifetime: Duration?) async {
        let box = box { $0.failedURLLifetime = lifetime }
        for kind in [ImageError.Kind.status, .refused] {
            let error = await #expect(throws: ImageError.self) { try await box.load() }
            #expect(error?.kind == kind)
        }
        #expect(box.loader.requests.count == 1)
    }

    @Test func failureWithALifetimeOfZeroIsNotRemembered() async {
        let box = box { $0.failedURLLifetime = .zero }
        for _ in 0..<2 { await #expect(throws: ImageError.self) { try await box.load() } }
        #expect(box.loader.requests.count == 2)
    }

    @Test func allFailuresCanBeRemoved() async {
        let box = box { _ in }
        for _ in 0..<2 {
            await #expect(throws: ImageError.self) { try await box.load() }
            box.manager.removeAllFailed()
        }
        #expect(box.loader.requests.count == 2)
    }

    @Test(arguments: [0.0, 6]) func brokenBytesInACacheAreNoFailureOfTheURL(side: Double) async throws {
        let box = Darkbox()
        var context = ImageContext {
            $0.cacheUse = .cacheOnly
            if side > 0 { $0.thumbnail = .fit(side, side) }
        }
        let key = CacheKey(source: Darkbox.url.absoluteString)
        try await box.data.store(DataEntry(Darkbox.file.prefix(50), metadata: .init(storedAt: .now)), for: key)
        let error = await #expect(throws: ImageError.self) {
            try await box.manager.load(Darkbox.url, context: context)
        }
        #expect(error?.kind == .incomplete)
        context.cacheUse = .standard
        #expect(try await box.manager.load(Darkbox.url, context: context).origin == .network)
    }

    /// A credential that the loader sends.
    private enum TokenKey: ImageContextKey {
        static var defaultValue: String { "" }
        static func effect(of value: String) -> ContextEffect { .nothing }
        static func flightFragment(for value: String) -> String? { value.isEmpty ? nil : "Token(\(value))" }
    }

    @Test(arguments: [(401, nil), (403, "Basic"), (403, nil), (404, nil)] as [(Int, String?)])
    func refusedCredentialIsRememberedForItselfOnly(status: Int, challenge: String?) async throws {
        let loader = FakeLoader { request in
            guard request.context[TokenKey.self] == "good" else {
                let headers = challenge.map { ["www-authenticate": $0] } ?? [:]
                throw ImageError(
                    .status, .load, "the origin returned status \(status)",
                    response: ResponseMetadata(url: request.url, status: status, headers: headers))
            }
            return LoadResponse(.data(Darkbox.file))
        }
        let box = Darkbox(loader) {
            $0.failedURLLifetime = nil
            // A loader may hide the secret.
            $0.install(
                OriginLoader(base: loader, fields: { $0.context[TokenKey.self].isEmpty ? [:] : ["authorization": "*"] })
            )
        }
        let isRemembered = status == 401 || challenge != nil
        for (token, isAsked) in [("", true), ("", true), ("bad", true), ("bad", !isRemembered), ("worse", true)] {
            let count = loader.requests.count
            let error = await #expect(throws: ImageError.self) { try await box.load { $0[TokenKey.self] = token } }
            #expect(error?.kind == (isAsked ? .status : .refused))
            #expect(loader.requests.count == count + (isAsked ? 1 : 0))
        }
        _ = try await box.load { $0[TokenKey.self] = "good" }
        let error = await #expect(throws: ImageError.self) {
            try await box.load {
                $0[TokenKey.self] = "bad"
                $0.cacheUse = .loaderOnly
            }
        }
        #expect(error?.kind == (isRemembered ? .refused : .status), "the success of another credential says nothing")
    }

    @Test func failureIsRemovedByTheRequestedURL() async {
        struct Elsewhere: RequestProcessor {
            func process(url: inout URL, context: inout ImageContext) { url = url.appending(path: "there") }
        }
        let box = box { $0.install(Elsewhere()) }
        for _ in 0..<2 {
            await #expect(throws: ImageError.self) { try await box.load() }
            box.manager.removeFailed(Darkbox.url)
        }
        #expect(box.loader.requests.count == 2)
    }
}
