import Configuration
import Foundation
import Logging
import PrometheusText

@testable import ThumbnailServerProgram

extension ThumbnailService {
    /// Creates a server with these arguments that accepts unsigned paths, whose coders are not isolated, and whose disk cache
    /// is in `folder`.
    init(_ arguments: [String], folder: URL, logger: Logger) async throws {
        let arguments =
            ["--signature-insecure", "true", "--cache-directory", folder.path, "--isolation-workers", "0"] + arguments
        let provider = CommandLineArgumentsProvider(arguments: ["thumbnail-server"] + arguments)
        let settings = try await ServerSettings(ConfigReader(provider: provider), arguments: arguments)
        try self.init(settings, registry: PrometheusRegistry(), logger: logger)
    }
}
