import DarkroomCore
import DarkroomFile
import DarkroomJPEG
import DarkroomPNG
import Foundation
import SmallExample

/// Gives a single load its own loader, which reads web addresses from a folder of copies, without any network.
///
///     swift run --package-path Examples per-request-loader COPIES https://example.com/photo.jpg
@main
enum PerRequestLoader: SmallExample {
    static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[2]) else {
            return print("usage: per-request-loader FOLDER URL")
        }
        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(JPEGCoder())
            $0.install(PNGCoder())
        }
        await load(url, with: manager, context: ImageContext(), as: "with the manager's loaders")
        let context = ImageContext { $0.loader = CopyLoader(folder: URL(filePath: arguments[1])) }
        await load(url, with: manager, context: context, as: "with a loader of its own")
    }

    private static func load(
        _ url: URL, with manager: ImageManager, context: ImageContext, as title: String
    ) async {
        do {
            let image = try await manager.load(url, context: context).image
            print("\(title): \(image.size) \(image.info.format)")
        } catch {
            print("\(title): \(error.message)")
        }
    }
}

/// Loads the file with the same name from a folder. `canLoad` is not called, because the request specifies the loader.
struct CopyLoader: ImageLoader {
    let folder: URL

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var request = request
        request.url = folder.appending(path: request.url.lastPathComponent)
        return try await FileLoader().load(request)
    }
}
