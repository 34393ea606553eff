package import DarkroomCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A loader with the same file for every URL. That of the test kit would allocate, too, and is compiled with a server.
package struct OneFileLoader: ImageLoader {
    private let file: Data

    package init(file: Data) { self.file = file }

    package func canLoad(_ url: URL) -> Bool { true }

    package func load(_ request: LoadRequest) async throws -> LoadResponse { LoadResponse(.data(file)) }
}
