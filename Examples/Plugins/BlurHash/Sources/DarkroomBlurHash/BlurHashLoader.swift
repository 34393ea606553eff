public import DarkroomCore
public import Foundation

/// Loads images from URLs that contain a hash, such as `blurhash:32x24/LEHV6nWB2yk8pyo0adR%2A.7kCMdnj`.
public struct BlurHashLoader: ImageLoader {
    /// Creates a loader.
    public init() {}

    /// Returns whether `url` has the scheme `blurhash`.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.lowercased() == "blurhash" }

    /// The maximum width and height: a larger placeholder shows no more, and would occupy the caller's thread for too long.
    private static let sideLimit = 256

    /// Renders the hash in the URL.
    ///
    /// - Throws: An error of kind `invalidURL`, or of kind `overLimit` for more than 256 pixels in a direction.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        guard let (hash, size) = BlurHash.parse(request.url) else {
            throw ImageError(
                .invalidURL, .load, "a URL of this scheme is blurhash:WIDTHxHEIGHT/HASH, with the hash percent-encoded")
        }
        guard max(size.width, size.height) <= Self.sideLimit else {
            throw ImageError(
                .overLimit, .load,
                "a placeholder of \(size) pixels exceeds \(Self.sideLimit) per side; show a smaller one enlarged")
        }
        return LoadResponse(.image(try hash.image(size, limits: request.context.limits)))
    }

    /// Returns a constant version: the URL contains everything, so nothing needs to be cached on disk.
    public func localVersion(of url: URL) -> LocalVersion? { LocalVersion("1") }
}

extension BlurHash {
    /// Returns the URL for an image of this size; `nil` for an invalid size.
    public func url(_ size: PixelSize) -> URL? {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics).flatMap {
            URL(string: "blurhash:\(size.width)x\(size.height)/\($0)")
        }
    }

    /// Parses the hash and the size from such a URL.
    fileprivate static func parse(_ url: URL) -> (BlurHash, PixelSize)? {
        let rest = url.absoluteString.dropFirst("blurhash:".count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let sides = rest[..<slash].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
            let text = rest[slash...].dropFirst().removingPercentEncoding, let hash = BlurHash(text)
        else { return nil }
        return (hash, PixelSize(width, height))
    }
}
