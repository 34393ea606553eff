// The context of the code in documents: a photograph, an origin server that has it, and a manager that loads from
// there.
@_exported public import Darkroom
@_exported public import DarkroomTestKit
@_exported public import Foundation
import Synchronization

/// A temporary folder for the check.
public let directory = URL(filePath: ProcessInfo.processInfo.environment["DOCUMENTS_DIRECTORY"] ?? "/tmp")

/// A JPEG of 640×480 pixels with gradients.
public let data: Data = {
    let size = PixelSize(640, 480)
    let bitmap = try! Bitmap(size, hasAlpha: false) { pixels in
        for index in 0..<(size.width * size.height) {
            pixels[index * 4] = UInt8(truncatingIfNeeded: index % size.width / 3)
            pixels[index * 4 + 1] = UInt8(truncatingIfNeeded: index / size.width / 2)
            pixels[index * 4 + 2] = 128
            pixels[index * 4 + 3] = 255
        }
    }
    let image = Image(info: ImageInfo(format: .jpeg, storedSize: size), bitmap: bitmap)
    return try! CoderRegistry([JPEGCoder()]).encode(image, as: .jpeg)
}()

/// The photograph as a file.
public let file: URL = {
    let url = directory.appending(path: "photo.jpg")
    try! data.write(to: url)
    return url
}()

/// The URL of the photograph.
public let url = URL(string: "https://example.com/photo.jpg")!

/// The photograph, decoded.
public let image = try! CoderRegistry([JPEGCoder()]).decode(data)

/// A manager with the standard parts, except that this process responds to HTTP: every URL has the photograph, fresh
/// for an hour.
public let manager = try! offlineManager(directory.appending(path: "cache")) { _ in }

/// Returns a manager that replaces `ImageManager.standard`.
public func offlineManager(
    _ cacheDirectory: URL, _ configure: (inout ImageManager.Components) throws -> Void
) throws -> ImageManager {
    try ImageManager {
        $0.install(StandardPlugins())
        $0.install(Origin())
        $0.imageCache = MemoryImageCache()
        $0.dataCache = try DiskDataCache(directory: cacheDirectory)
        try configure(&$0)
    }
}

private struct Origin: ImageLoader {
    func canLoad(_ url: URL) -> Bool { url.scheme == "https" }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        let headers = ["content-type": "image/jpeg", "cache-control": "max-age=3600"]
        return LoadResponse(
            .data(data), expectedByteCount: data.count,
            metadata: ResponseMetadata(url: request.url, status: 200, headers: headers))
    }
}

/// A block of a document: its position, its code, and the lines that state their output.
public typealias Page = (place: String, run: @Sendable () async throws -> Void, expectations: [String])

/// The comparison of the output that documents state with the actual output.
public enum Expectations {
    private static let state = Mutex((reached: Set<String>(), failures: [String]()))

    /// Records that `place` printed `items`, and compares them with the stated output.
    public static func check(_ items: [Any], _ said: String, _ place: String) {
        let shown = items.map { "\($0)" }.joined(separator: " ")
        print("    \(shown)")
        state.withLock {
            $0.reached.insert(place)
            if shown != said { $0.failures.append("\(place) says \"\(said)\", and \"\(shown)\" is shown") }
        }
    }

    /// Returns the failures of the document with these places.
    public static func failures(of places: [String]) -> [String] {
        state.withLock { state in
            defer { state.failures = [] }
            return state.failures + places.filter { !state.reached.contains($0) }.map { "\($0) was never reached" }
        }
    }
}

/// Replaces `print` where a document states the output.
public func shows(_ items: Any..., said: String, at place: String) { Expectations.check(items, said, place) }
