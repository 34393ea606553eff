import DarkroomTestKit
import Logging
import Testing

@testable import ThumbnailServerProgram

/// The order in which the parts of the server shut down.
@Suite(.bounded, .bug(id: "Fix purges that a server does not follow while it shuts down"))
struct ServiceOrderTests {
    @Test(arguments: [false, true])
    func purgesAreFollowedUntilTheLastRequestIsServed(isShared: Bool) async throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let arguments = isShared ? ["--fleet-endpoint", "http://127.0.0.1:9000", "--metrics-port", "9090"] : []
        let logger = Logger(label: "server") { _ in SwiftLogNoOpLogHandler() }
        let service = try await ThumbnailService(arguments, folder: folder.url, logger: logger)
        // The last one shuts down first.
        let names = service.services.map { String(describing: type(of: $0)).prefix { $0 != "<" } }
        let expected =
            isShared
            ? ["PurgeChecks", "PurgeFollower", "Application", "Application", "Draining"]
            : ["PurgeChecks", "Application", "Draining"]
        #expect(names.map(String.init) == expected)
    }
}
