import Darkroom
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

@Suite(.timeLimit(.minutes(10)))
struct SharedFolderTests {
    @Test(.bug(id: "Fix thumbnails that a server stored and may not reach any more"))
    func aServerThatMayReachLessServesNothingThatAnotherStored() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withServer(folder: folder) { client, origin in
            let source = try #require(
                "\(origin)/png-3x5.png".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let path = "/insecure/thumbnail:2x2/\(source)"
            let first = try await client.execute(uri: path, method: .get)
            #expect(first.status == .ok)
            try await withServer(folder: folder) { other, _ in
                let response = try await other.execute(uri: path, method: .get)
                #expect(response.status == .ok)
                #expect(response.headers[.cacheStatus]?.hasPrefix("darkroom; hit") == true, "the folder is shared")
            }
            try await withServer(addresses: .publicOnly, folder: folder) { other, _ in
                let response = try await other.execute(uri: path, method: .get)
                #expect(response.status == .badGateway)
            }
        }
    }
}
