import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import ThumbnailServer

/// The methods of requests. All resources of the server can only be read.
@Suite(.bounded, .bug(id: "Fix HEAD and other methods that get status 404"))
struct MethodTests {
    @Test(arguments: [
        "/health", "/ready", "/metrics", "/", "/gallery.css", "/gallery.json", "/insecure/-/sample%2Fpng-3x5.png",
        "/none",
    ])
    func headIsServedAndOtherMethodsAreNamed(path: String) async throws {
        try await TestServer().run { client, _ in
            let get = try await client.execute(uri: path, method: .get)
            let head = try await client.execute(uri: path, method: .head)
            #expect(head.status == get.status && head.body.readableBytes == 0)
            if path != "/metrics" { #expect(head.headers[.contentLength] == "\(get.body.readableBytes)") }
            for method in [HTTPRequest.Method.post, .put, .delete, .patch, .options] {
                let response = try await client.execute(uri: path, method: method)
                #expect(response.status == .methodNotAllowed && response.headers[.allow] == "GET, HEAD")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
            }
        }
    }
}
