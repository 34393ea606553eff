import Darkroom
import DarkroomTestKit
import Foundation
import Synchronization
import Testing

/// Ten times as many requests as the server takes, each for another image, decoded in other processes as by default.
@Suite(.bounded)
struct OverloadTests {
    /// The resources that the server runs out of.
    enum Scarcity: CaseIterable {
        case work, connections

        /// The settings of a small server.
        var settings: [String] {
            switch self {
            case .work: ["--work-running", "12", "--work-waiting", "2"]
            case .connections: ["--work-running", "12", "--work-waiting", "10", "--http-connections", "6"]
            }
        }

        /// The number of requests that it takes: those that wait for work, or those over six connections and the half of
        /// the reserve that waits.
        var capacity: Int { self == .work ? 14 : 22 }

        /// The status of those that it refuses.
        var status: Int { self == .work ? 429 : 503 }
    }

    /// Those of a picture are 24 MB, of which there are three while it is flipped: in the worker, in the server, and flipped.
    private static let size = PixelSize(3000, 2000)
    /// It has room for two pictures, and up to twelve are made at once.
    private static let budget = 160 << 20
    /// The memory of released images that each thread that decodes may keep, besides the budget.
    private static let keptByteCount = 64 << 20

    /// The most memory that was seen.
    private final class Peak: Sendable {
        private let value = Mutex(0)

        var byteCount: Int { value.withLock { $0 } }

        func note(_ byteCount: Int) { value.withLock { $0 = max($0, byteCount) } }
    }

    private static func picture() throws -> Data {
        let bitmap = try Bitmap(size, hasAlpha: false) { _ in }
        return try CoderRegistry([JPEGCoder()]).encode(
            Image(info: ImageInfo(format: .jpeg, storedSize: size), bitmap: bitmap), as: .jpeg)
    }

    @Test(arguments: Scarcity.allCases)
    func requestsBeyondTheCapacityAreRefusedAtOnceAndAllOthersServed(_ scarcity: Scarcity) async throws {
        let (picture, gate, count) = (try Self.picture(), Gate(), 10 * scarcity.capacity)
        let handler: LoopbackServer.Handler = { _, reply in
            try await reply.head(200, ["Content-Length": "\(picture.count)", "Cache-Control": "max-age=3600"])
            try await reply.body(picture.prefix(1000))
            try await gate.waitUnlessCancelled()
            try await reply.body(picture.dropFirst(1000))
            try await reply.end()
        }
        let routes = Dictionary(uniqueKeysWithValues: (0..<count).map { ("/\($0).jpg", handler) })
        try await LoopbackServer.serving(routes) { origin in
            let settings = [
                "--sources-networks", "127.0.0.0/8", "--sources-ports", "\(origin.url("/").port ?? 0)",
                "--clients-per-second", "0", "--http-connections-per-client", "0", "--memory-bytes", "\(Self.budget)",
                "--isolation-workers", "2", "--work-running-per-host", "0",
            ]
            try await ServerProcess.run(settings + scarcity.settings) { server in
                #expect(server.lines.contains { $0.contains("bytes=\(Self.budget) memory budget") })
                #expect(server.lines.contains { $0.contains("coders are isolated") })
                let sources = (0..<count).map { origin.url("/\($0).jpg").absoluteString }
                let paths = sources.map { "/insecure/flip:h+resize:600x400/" + $0.replacing("/", with: "%2F") }
                let (refusals, peak, idle) = (Gate(), Peak(), try server.byteCount)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for path in paths {
                        group.addTask {
                            let answer = try await server.get(path)
                            peak.note(try server.byteCount)
                            guard answer.status == 200 else {
                                #expect(answer.status == scarcity.status && answer.isRefusal, "\(answer.head)")
                                return _ = refusals.arrive()
                            }
                            try Self.check(answer)
                        }
                    }
                    // None of the others can be finished yet.
                    await refusals.waitForArrivals(count - scarcity.capacity)
                    let health = try await server.get("/health")
                    #expect(health.status == 200)
                    gate.open()
                    try await group.waitForAll()
                }
                if scarcity == .work { try await Self.compete(paths, at: server, peak) }
                let next = try await server.get(paths[0].replacing("600x400", with: "60x40"))
                #expect(next.status == 200)
                peak.note(try server.peakByteCount)
                let bound = Self.budget + Self.keptByteCount * ProcessInfo.processInfo.activeProcessorCount
                #expect(peak.byteCount - idle < bound, "\(peak.byteCount) bytes after \(idle)")
            }
        }
    }

    /// Requests `paths` at once, whose sources are cached by now, or not: each is served, or refused.
    private static func compete(_ paths: [String], at server: ServerProcess, _ peak: Peak) async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for path in paths {
                group.addTask {
                    let answer = try await server.get(path.replacing("flip:h", with: "quality:50+flip:h"))
                    peak.note(try server.byteCount)
                    #expect(answer.status == 200 || answer.isRefusal, "\(answer.head)")
                    if answer.status == 200 { try check(answer) }
                    return answer.status
                }
            }
            for _ in 0..<10 {
                let health = try await server.get("/health")
                #expect(health.status == 200)
            }
            var statuses: [Int: Int] = [:]
            for try await status in group { statuses[status, default: 0] += 1 }
            #expect(statuses[200, default: 0] > 0)
        }
    }

    private static func check(_ answer: ServerProcess.Answer) throws {
        let image = try CoderRegistry([JPEGCoder()]).decode(answer.body)
        #expect(image.size == PixelSize(600, 400))
        #expect(image.bitmap.bytes.prefix(3).allSatisfy { $0 < 8 })
    }
}
