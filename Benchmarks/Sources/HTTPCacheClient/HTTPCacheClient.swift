import DarkroomCaches
import DarkroomCore
import DarkroomHTTP
import Foundation

/// Performs requests over the HTTP cache, for `Scripts/http-cache-tests`.
///
/// It reads an `Exchange.Request` from each line of standard input, and writes an `Exchange.Response` to a line of
/// standard output, in any order.
@main
struct HTTPCacheClient {
    static func main() async throws {
        let manager = try ImageManager {
            $0.install(HTTPLoader(configuration))
            $0.install(AnyBytes())
            $0.dataCache = MemoryDataCache(byteLimit: 64 << 20)
        }
        let client = Client(manager: manager)
        try await withThrowingTaskGroup(of: Void.self) { group in
            while let line = readLine() {
                let request = try JSONDecoder().decode(Exchange.Request.self, from: Data(line.utf8))
                group.addTask { try Exchange.write(await client.response(to: request)) }
            }
            try await group.waitForAll()
        }
    }

    private static var configuration: HTTPLoader.Configuration {
        var configuration = HTTPLoader.Configuration()
        configuration.addressPolicy = .any
        configuration.ports = nil
        configuration.acceptableContentTypes = nil
        return configuration
    }
}

/// Accepts all bytes as an image, because the suite sends text.
private struct AnyBytes: ImageCoder {
    var formats: [ImageFormat] { [] }

    func canDecode(_ data: Data) -> Bool { true }

    func info(of request: InfoRequest) throws -> ImageInfo {
        throw ImageError(.unsupported, .decode, "text is not decoded")
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        throw ImageError(.unsupported, .decode, "text is not decoded")
    }
}
