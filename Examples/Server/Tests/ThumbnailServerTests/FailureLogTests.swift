import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import ThumbnailServer

/// The lines that failures leave in the log.
@Suite(.bounded)
struct FailureLogTests {
    @Test(arguments: [
        ("/insecure/-/http%3A%2F%2F127.0.0.1%3A1%2Fa.jpg%3Ftoken%3Ds3cret", 502, true),
        ("/insecure/-/ORIGIN/none.jpg", 404, false),
        ("/insecure/-/sample%2Fnone.jpg", 404, false), ("/insecure/blur:x/sample%2Fjpeg-420.jpg", 400, false),
        ("/insecure/-/sample%2Fjpeg-420.jpg", 200, false),
    ])
    func failureOfTheServerOrAnOriginIsOneWarning(path: String, status: Int, isLogged: Bool) async throws {
        let log = LogRecorder()
        try await TestServer(logger: Logger(label: "server") { _ in log }).run { client, origin in
            let response = try await client.execute(uri: path.replacing("ORIGIN", with: origin), method: .get)
            #expect(response.status.code == status)
        }
        let warnings = log.lines.withLock { $0 }
        #expect(warnings.count == (isLogged ? 1 : 0), "\(warnings)")
        guard isLogged, let line = warnings.first else { return }
        #expect(line.contains("hb.request.id") && line.contains("http://127.0.0.1:1/a.jpg?token=REDACTED"))
        #expect(line.contains("\(status)") && !line.contains("s3cret"))
    }
}

extension FailureLogTests {
    @Test func crashOfADecoderIsOneWarningUntilTheSourceIsTriedAgain() {
        let recorder = LogRecorder()
        let log = FailureLog(Logger(label: "server") { _ in recorder })
        let crash = ImageError(.crashed, .decode, "it ended with SIGSEGV; the SHA-256 of the file is 00ff")
        let status = Problem(crash).status
        log.note(crash, of: nil, status: status)
        let remembered = ImageError(.refused, .request, "it has failed before", underlying: crash)
        #expect(Problem(remembered).status == status)
        log.note(remembered, of: nil, status: status)
        let lines = recorder.lines.withLock { $0 }
        #expect(lines.count == 1 && lines.first?.contains("SHA-256 of the file is 00ff") == true, "\(lines)")
    }
}

/// Records warnings with their metadata.
private struct LogRecorder: LogHandler {
    let lines = SharedLines()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        lines.withLock { $0.append("\(event.message) \(all)") }
    }
}

/// The lines of all copies of a recorder.
private final class SharedLines: Sendable {
    private let lines = Mutex<[String]>([])

    func withLock<Result>(_ body: (inout [String]) -> Result) -> Result {
        lines.withLock { lines in body(&lines) }
    }
}
