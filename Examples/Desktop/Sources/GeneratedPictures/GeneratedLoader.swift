public import DarkroomCore
public import FoundationEssentials

/// Loads generated pictures without a server: those of URLs with the scheme `generated`.
public struct GeneratedLoader: ImageLoader {
    /// Creates the loader.
    public init() {}

    /// Returns the URL of a picture.
    public static func url(of picture: GeneratedPicture) -> URL? { URL(string: "generated://wall\(picture.path)") }

    /// Accepts URLs of generated pictures.
    public func canLoad(_ url: URL) -> Bool { url.scheme == "generated" }

    /// Draws the picture.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        guard let file = try GeneratedPicture(path: request.url.path)?.file() else {
            throw ImageError(.status, .load, "there is no picture at \(request.url.path)")
        }
        return LoadResponse(.data(file))
    }
}
