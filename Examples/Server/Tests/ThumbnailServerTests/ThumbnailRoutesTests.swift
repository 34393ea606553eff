import Darkroom
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import ThumbnailServer

@Suite(.bounded)
struct ThumbnailRoutesTests {
    private static let cacheStatus = HTTPField.Name.cacheStatus

    @Test func imageIsLoadedResizedAndCached() async throws {
        try await TestServer().run { client, origin in
            let path = "/insecure/thumbnail:20x20+format:png/\(origin)/jpeg-420.jpg"
            let cold = try await client.execute(uri: path, method: .get)
            #expect(cold.status == .ok)
            #expect(cold.headers[.contentType] == "image/png")
            #expect(cold.headers[Self.cacheStatus] == "darkroom; fwd=uri-miss; stored")
            #expect(cold.headers[.serverTiming]?.contains("encode;dur=") == true)
            #expect(cold.headers[.xContentTypeOptions] == "nosniff")
            #expect(cold.headers[.vary] == nil)
            let size = try cold.image().size
            #expect(max(size.width, size.height) == 20)
            let warm = try await client.execute(uri: path, method: .get)
            #expect(warm.headers[Self.cacheStatus] != cold.headers[Self.cacheStatus])
            #expect(warm.body == cold.body)
            // The origin specifies 60 seconds.
            let control = try #require(cold.headers[.cacheControl])
            let seconds = try #require(control.split(separator: "max-age=").last.flatMap { Int($0) })
            #expect((0...60).contains(seconds))
        }
    }

    @Test func headAndMatchingValidatorsGetNoBody() async throws {
        try await TestServer().run { client, _ in
            let path = "/insecure/blur:3/sample%2Fjpeg-420.jpg"
            let whole = try await client.execute(uri: path, method: .get)
            let tag = try #require(whole.headers[.eTag])
            let head = try await client.execute(uri: path, method: .head)
            #expect(head.status == .ok)
            #expect(head.headers[.eTag] == tag)
            #expect(head.headers[.contentLength] == "\(whole.body.readableBytes)")
            #expect(head.body.readableBytes == 0)
            let same = try await client.execute(uri: path, method: .get, headers: [.ifNoneMatch: "\"x\", \(tag)"])
            #expect(same.status == .notModified)
            #expect(same.headers[.eTag] == tag)
            #expect(same.headers[.cacheControl] != nil)
            #expect(same.body.readableBytes == 0)
        }
    }

    @Test func formatIsNegotiatedUnlessThePathSetsIt() async throws {
        try await TestServer().run { client, _ in
            func fields(_ path: String, accept: String) async throws -> [String?] {
                let response = try await client.execute(uri: path, method: .get, headers: [.accept: accept])
                return [response.headers[.contentType], response.headers[.vary]]
            }
            let open = "/insecure/-/sample%2Fjpeg-420.jpg"
            let cases: [(path: String, accept: String, fields: [String?])] = [
                (open, "image/webp,*/*;q=0.8", ["image/webp", "Accept"]),
                (open, "*/*", ["image/jpeg", "Accept"]),
                (open, "image/webp;q=0,*/*", ["image/jpeg", "Accept"]),
                (open, "image/webp;q=0.1,image/jpeg", ["image/jpeg", "Accept"]),
                ("/insecure/format:png/sample%2Fjpeg-420.jpg", "image/webp", ["image/png", nil]),
                ("/insecure/-/sample%2Fjpeg-420.jpg@webp", "*/*", ["image/webp", nil]),
            ]
            for test in cases {
                let found = try await fields(test.path, accept: test.accept)
                #expect(found == test.fields)
            }
        }
    }

    @Test func animationsStayAnimated() async throws {
        try await TestServer().run { client, _ in
            for format in ["gif", "webp", "png"] {
                let response = try await client.execute(
                    uri: "/insecure/flip:h+format:\(format)/sample%2Fgif-animated.gif", method: .get)
                #expect(try response.image().animation != nil, "\(format)")
            }
            let still = try await client.execute(
                uri: "/insecure/still+format:webp/sample%2Fgif-animated.gif", method: .get)
            #expect(try still.image().animation == nil)
        }
    }

    @Test func clientHintsScaleAndLimitSizes() async throws {
        try await TestServer().run { client, _ in
            func width(_ options: String, headers: HTTPFields = [:]) async throws -> String {
                let response = try await client.execute(
                    uri: "/insecure/\(options)+format:png/sample%2Fjpeg-420.jpg", method: .get, headers: headers)
                return "\(try response.image().size.width) \(response.headers[.vary] ?? "-")"
            }
            let ratio = try #require(HTTPField.Name("Sec-CH-DPR"))
            let wide: HTTPFields = [try #require(HTTPField.Name("Sec-CH-Width")): "90"]
            let found = [
                try await width("resize:10x10"),
                try await width("resize:10x10+dpr:2"),
                try await width("resize:10x10+dpr:auto", headers: [ratio: "3"]),
                try await width("resize:300x300+width:auto", headers: wide),
            ]
            #expect(found == ["10 -", "20 -", "30 Sec-CH-DPR", "100 Sec-CH-Width"])
        }
    }

    @Test func unsignedPathsAreForbiddenUnlessAllowed() async throws {
        let signer = try #require(PathSigner(keys: [Data("0123456789abcdef".utf8)]))
        try await TestServer {
            $0.allowsInsecure = false
            $0.signer = signer
        }.run { client, _ in
            func status(of path: String, signature: String) async throws -> HTTPResponse.Status {
                try await client.execute(uri: "/\(signature)\(path)", method: .get).status
            }
            let path = "/thumbnail:9x9/sample%2Fjpeg-420.jpg"
            let late = "/expires:1000000000/sample%2Fjpeg-420.jpg"
            let early = "/expires:99999999999/sample%2Fjpeg-420.jpg"
            let found = [
                try await status(of: path, signature: signer.signature(of: path)),
                try await status(of: path, signature: "insecure"),
                try await status(of: "/thumbnail:8x9/sample%2Fjpeg-420.jpg", signature: signer.signature(of: path)),
                try await status(of: late, signature: signer.signature(of: late)),
                try await status(of: late, signature: signer.signature(of: late)),
                try await status(of: early, signature: signer.signature(of: early)),
            ]
            #expect(found == [.ok, .forbidden, .forbidden, .forbidden, .forbidden, .ok])
        }
    }

    @Test(arguments: [
        ("/insecure/nonsense/sample%2Fjpeg-420.jpg", 400), ("/insecure/blur:x/sample%2Fjpeg-420.jpg", 400),
        ("/insecure/resize:9999x9999/sample%2Fjpeg-420.jpg", 400),
        ("/insecure/resize:mode=stretch,size=9000x9000/sample%2Fjpeg-420.jpg", 400),
        ("/insecure/resize:9000%C3%979000/sample%2Fjpeg-420.jpg", 400),
        ("/insecure/resize:size=3000x3000+dpr:2/sample%2Fjpeg-420.jpg", 400),
        ("/insecure/pad:left=1000000/sample%2Fjpeg-420.jpg", 422), ("//insecure/-/sample%2Fjpeg-420.jpg", 400),
        ("/insecure//-/sample%2Fjpeg-420.jpg", 400), ("/insecure/-//sample%2Fjpeg-420.jpg", 400),
        ("/insecure/-/ftp%3A%2F%2Fa%2Fb", 400), ("/insecure/crop:0,0,0.9,5/sample%2Fjpeg-420.jpg", 400),
        ("/insecure/crop:0,0,1,1+dpr:0.5/sample%2Fjpeg-420.jpg", 400),
        ("/insecure/-/sample%2Fnone.jpg", 404), ("/insecure/-/ORIGIN/none.jpg", 404),
        ("/insecure/-/ORIGIN/README.md", 415), ("/wrong/-/sample%2Fjpeg-420.jpg", 403),
        ("/insecure/-/http%3A%2F%2F127.0.0.1%3A1%2Fa.jpg", 502), ("/insecure/preset:none/sample%2Fjpeg-420.jpg", 400),
    ])
    func failureIsAProblemWithItsStatus(path: String, status: Int) async throws {
        try await TestServer().run { client, origin in
            let response = try await client.execute(
                uri: path.replacing("ORIGIN", with: origin), method: .get)
            #expect(response.status.code == status, "\(response.text)")
            #expect(response.headers[.contentType] == "application/problem+json")
            let problem = try JSONSerialization.jsonObject(with: response.data) as? [String: Any]
            #expect(problem?["status"] as? Int == status)
            #expect((problem?["detail"] as? String)?.isEmpty == false)
        }
    }

    @Test func fallbackImageReplacesTheProblem() async throws {
        let fallback = try Data(contentsOf: fixtureFolder.appending(path: "gif-1x1.gif"))
        try await TestServer {
            $0.fallback = fallback
        }.run { client, _ in
            let response = try await client.execute(uri: "/insecure/-/sample%2Fnone.jpg", method: .get)
            #expect(response.status == .notFound)
            #expect(response.headers[.contentType] == "image/gif")
            #expect(response.data == fallback)
        }
    }

    @Test func privateAddressesAreUnreachable() async throws {
        try await TestServer(addresses: .publicOnly).run { client, origin in
            let response = try await client.execute(uri: "/insecure/-/\(origin)/jpeg-420.jpg", method: .get)
            #expect(response.status == .badGateway)
        }
    }

    @Test(.bug(id: "Fix problem details that tell what the server's network knows"))
    func problemsDoNotRevealTheServersNetwork() async throws {
        try await TestServer(addresses: .publicOnly).run { client, origin in
            var bodies: Set<String> = []
            for host in [origin, "http://name.invalid", "http://127.0.0.1:1", "http://[::1]:1", "http://127.1"] {
                // The second time, the failure is cached.
                for _ in 0..<2 {
                    let source = try #require(
                        "\(host)/a.jpg".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                    let response = try await client.execute(uri: "/insecure/-/\(source)", method: .get)
                    #expect(response.status == .badGateway)
                    bodies.insert("\(response.headers[.cacheControl] ?? "") \(response.text)")
                }
            }
            #expect(bodies.count == 1, "\(bodies)")
        }
    }

    @Test(arguments: ["/insecure/-/sample%2FREADME.md", "/insecure/-/sample%2Fanimated", "/insecure/-/ORIGIN/none.jpg"])
    func problemsContainNoPathAndNoSetting(path: String) async throws {
        try await TestServer().run { client, origin in
            let response = try await client.execute(uri: path.replacing("ORIGIN", with: origin), method: .get)
            #expect(response.status != .ok)
            for word in ["limits", "context", "Configuration", fixtureFolder.path, "/", "127.0.0.1"] {
                let detail = try JSONSerialization.jsonObject(with: response.data) as? [String: Any]
                #expect((detail?["detail"] as? String)?.contains(word) == false, "\(response.text)")
            }
        }
    }

    @Test(.bug(id: "Fix redirects to sources that are not allowed"))
    func rulesApplyToRedirects() async throws {
        let redirects = Router()
        redirects.get("a.png") { request, _ in
            Response(status: .found, headers: [.location: request.uri.queryParameters["to"].map(String.init) ?? ""])
        }
        try await Application(router: redirects).test(.ahc(.http)) { redirecting in
            let source = "http://localhost:\(try #require(redirecting.port))/a.png"
            for (rule, status) in [(nil, HTTPResponse.Status.ok), (SourceRule(source), .badGateway)] {
                try await TestServer {
                    $0.sources.rules = rule.map { [$0] }
                }.run { client, origin in
                    let path = "/insecure/-/\(source)?to=\(origin)/png-3x5.png"
                    let response = try await client.execute(uri: path, method: .get)
                    #expect(response.status == status, "\(response.text)")
                }
            }
        }
    }

    @Test func disabledFormatsAreRejected() async throws {
        try await TestServer {
            $0.formats = [.jpeg, .png]
        }.run { client, _ in
            func fields(_ path: String) async throws -> String {
                let response = try await client.execute(
                    uri: "/insecure/\(path)", method: .get, headers: [.accept: "image/webp"])
                return "\(response.status.code) \(response.headers[.contentType] ?? "")"
            }
            let found = [
                try await fields("-/sample%2Fjpeg-420.jpg"), try await fields("format:webp/sample%2Fjpeg-420.jpg"),
                try await fields("-/sample%2Fjpeg-420.jpg@gif"), try await fields("-/sample%2Fgif-1x1.gif"),
            ]
            let problem = "application/problem+json"
            #expect(found == ["200 image/jpeg", "400 \(problem)", "400 \(problem)", "415 \(problem)"])
        }
    }

    @Test func rateLimitAppliesOnlyToUncachedImages() async throws {
        try await TestServer {
            $0.clientLimit = RateLimit(perSecond: 0.001, burst: 1)
        }.run { client, _ in
            let first = "/insecure/-/sample%2Fjpeg-420.jpg"
            #expect(try await client.execute(uri: first, method: .get).status == .ok)
            let second = try await client.execute(uri: "/insecure/blur:3/sample%2Fjpeg-420.jpg", method: .get)
            #expect(second.status == .tooManyRequests)
            let seconds = try #require(second.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...1000).contains(seconds))
            #expect(try await client.execute(uri: first, method: .get).status == .ok)
        }
    }

    @Test func presetsAndWatermarksComeFromTheSettings() async throws {
        let mark = try Data(contentsOf: fixtureFolder.appending(path: "gif-1x1.gif"))
        try await TestServer {
            $0.presets = ["small": "resize:12x8,cover+format:png"]
            $0.watermarks = ["mark": mark]
        }.run { client, _ in
            let small = try await client.execute(uri: "/insecure/preset:small/sample%2Fjpeg-420.jpg", method: .get)
            #expect(try small.image().size == PixelSize(12, 8))
        }
        await #expect(throws: ImageError.self) {
            try await TestServer {
                $0.presets = ["bad": "blurr:3"]
            }.run { _, _ in
            }
        }
    }

    @Test func healthReadinessMetricsAndGalleryAreServed() async throws {
        try await TestServer().run { client, _ in
            for path in ["/health", "/ready", "/metrics", "/", "/gallery.css", "/gallery.js"] {
                #expect(try await client.execute(uri: path, method: .get).status == .ok)
            }
            let contents = try await client.execute(uri: "/gallery.json", method: .get)
            #expect(contents.text.contains("jpeg-420.jpg"))
        }
    }
}
