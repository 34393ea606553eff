import Dispatch
import Foundation
import Logging
import Synchronization
import Testing

@testable import ThumbnailServerProgram

/// Tests a log that nothing reads, such as a terminal that is stopped by Control-S.
@Suite(.bounded)
struct LogOutputTests {
    @Test func linesThatDoNotFitAreCounted() throws {
        let written = Mutex(Data())
        let (isBusy, hold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let output = LogOutput(byteLimit: 200) { data in
            isBusy.signal()
            hold.wait()
            written.withLock { $0 += data }
        }
        let logger = Logger(label: "log") { LineLogHandler(label: $0, level: .info, format: .text, output: output) }
        logger.info("a")
        isBusy.wait()
        let long = Logger.Message(stringLiteral: String(repeating: "b", count: 130))
        for _ in 0..<5 { logger.info(long) }
        hold.signal()
        isBusy.wait()
        logger.info("c")
        for _ in 0..<2 { hold.signal() }
        output.flush(within: .seconds(60))
        let lines = String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        let messages = lines.map { $0.split(separator: " ", maxSplits: 2).last.map(String.init) ?? "" }
        #expect(messages == ["log: a", "log: \(long)", "log: c", "log: count=4 lines lost before the last one"])
    }

    @Test func theServerAnswersAndEndsWhileItsLogIsNotRead() async throws {
        try await ServerProcess.run(["--log-level", "debug"], readsLog: false) { server in
            // Twice as many bytes as a pipe holds.
            let path = "/insecure/-/" + String(repeating: "a", count: 2000)
            for _ in 0..<64 { _ = try await server.get(path) }
            let answer = try await server.get("/health")
            #expect(answer.status == 200)
        }
    }
}
