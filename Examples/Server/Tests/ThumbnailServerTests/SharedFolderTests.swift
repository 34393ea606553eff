import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

@Suite(.bounded)
struct SharedFolderTests {
    @Test(.bug(id: "Fix thumbnails that a server stored and may not reach any more"))
    func restrictedServerServesNoEntriesOfAnother() async throws {
        let directory = try TemporaryDirectory()
        try await TestServer(folder: directory.url).run { client, origin in
            let source = try #require(
                "\(origin)/png-3x5.png".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let path = "/insecure/thumbnail:2x2/\(source)"
            let first = try await client.execute(uri: path, method: .get)
            #expect(first.status == .ok)
            try await TestServer(folder: directory.url).run { other, _ in
                let response = try await other.execute(uri: path, method: .get)
                #expect(response.status == .ok)
                #expect(response.headers[.cacheStatus]?.hasPrefix("darkroom; hit") == true, "the folder is shared")
            }
            try await TestServer(addresses: .publicOnly, folder: directory.url).run { other, _ in
                let response = try await other.execute(uri: path, method: .get)
                #expect(response.status == .badGateway)
            }
        }
    }
}
