import CGTK
import DarkroomCaches
import DarkroomCore
import DarkroomGIF
import DarkroomGTK
import DarkroomJPEG
import DarkroomPNG
import FoundationEssentials
import GeneratedPictures
import PhotoWall

// The check of `photo-wall` without HTTP, for a sanitizer: windows are opened, scrolled and closed, also while pictures load.

/// Counts the loads that have not ended: a drawing goes on when its load is cancelled.
struct CountedLoader: ImageLoader {
    let base = GeneratedLoader()
    let running = ObjectCount()

    func canLoad(_ url: URL) -> Bool { base.canLoad(url) }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        running.add()
        defer { running.remove() }
        return try await base.load(request)
    }
}

guard gtk_init_check() != 0 else { fatalError("there is no display") }
darkroom_write_lines_at_once()

let loader = CountedLoader()
let images = MemoryImageCache(byteLimit: 16 << 20)
let manager = try ImageManager {
    $0.install(loader)
    for coder in [GIFCoder(), JPEGCoder(), PNGCoder()] as [any ImageCoder] { $0.coders.register(coder) }
    $0.imageCache = images
}
let urls = (0..<600).compactMap { GeneratedLoader.url(of: GeneratedPicture(.coded, $0)) }

MainActorLoop.run {
    do {
        let check = WallCheck(manager: manager, images: images, urls: urls) { GeneratedPicture.index(codedIn: $0) }
        check.limitsCallbacks = false
        try await check.run()
        guard await loader.running.isZero(within: .seconds(30)) else { throw WallFailure("a drawing does not end") }
        // The leak sanitizer does not recognize the data that animations hold.
        images.removeAll()
        print("no picture and no load is left")
    } catch {
        print("picture-soak: \(error)")
        exit(1)
    }
}
