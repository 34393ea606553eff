import Darkroom
import DarkroomTestKit
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

@Suite(.bounded)
struct ClientRateLimitTests {
    @Test func clientOverTheRateLimitIsRefusedWithRetryAfter() throws {
        let limit = KeyedRateLimit<ClientNetwork>(RateLimit(perSecond: 2, burst: 3))
        let (a, b) = (ClientNetwork.address(1), ClientNetwork.address(2))
        let now = ContinuousClock.now
        for _ in 0..<3 { try limit.admit(a, at: now) }
        let problem = #expect(throws: Problem.self) { try limit.admit(a, at: now) }
        #expect(problem?.status == .tooManyRequests)
        #expect(problem?.retryAfter == 1)
        try limit.admit(b, at: now)
        try limit.admit(a, at: now + .milliseconds(500))
    }

    @Test func manyClientsUseBoundedMemory() throws {
        let limit = KeyedRateLimit<ClientNetwork>(RateLimit(perSecond: 1, burst: 1))
        let now = ContinuousClock.now
        for client in UInt64(0)..<25_000 { try limit.admit(.prefix(client), at: now) }
        // Clients with all of their tokens are evicted before the one without.
        #expect(throws: Problem.self) { try limit.admit(.prefix(24_999), at: now) }
    }

    @Test(.bug(id: "Fix a rate limit that counts answers from disk"))
    func answersFromDiskAreNoWork() async throws {
        let folder = try TemporaryDirectory()
        let paths = (1...3).map { "/insecure/blur:\($0)/sample%2Fjpeg-420.jpg" }
        try await TestServer(folder: folder.url).run { client, _ in
            let response = try await client.execute(uri: paths[0], method: .get)
            #expect(response.status == .ok)
        }
        // Its memory is empty.
        let server = TestServer(folder: folder.url) { $0.clientLimit = RateLimit(perSecond: 0.001, burst: 1) }
        try await server.run { client, _ in
            var statuses: [Int] = []
            for path in paths { statuses.append(try await client.execute(uri: path, method: .get).status.code) }
            #expect(statuses == [200, 200, 429])
        }
    }
}
