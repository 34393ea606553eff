import CGTK
import DarkroomCaches
import DarkroomCore
import DarkroomGIF
import DarkroomGTK
import DarkroomJPEG
import DarkroomPNG
import GeneratedPictures
import PhotoWall

// The check of `photo-wall` without HTTP, for a sanitizer: windows are opened, scrolled and closed, also while pictures load.

guard gtk_init_check() != 0 else { fatalError("there is no display") }
darkroom_write_lines_at_once()
MainActorLoop.attach()

let images = MemoryImageCache(byteLimit: 16 << 20)
let manager = try ImageManager {
    $0.install(GeneratedLoader())
    for coder in [GIFCoder(), JPEGCoder(), PNGCoder()] as [any ImageCoder] { $0.coders.register(coder) }
    $0.imageCache = images
}
let urls = (0..<600).compactMap { GeneratedLoader.url(of: GeneratedPicture(.coded, $0)) }
let loop = g_main_loop_new(nil, 0)

Task {
    do {
        let check = WallCheck(manager: manager, images: images, urls: urls) { GeneratedPicture.index(codedIn: $0) }
        check.callbackLimit = nil
        try await check.run()
        // The leak sanitizer does not recognize the data that tasks hold, and cancelled ones may still be ending.
        while GeneratedLoader.drawingCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
        try await Task.sleep(for: .seconds(1))
        print("no picture and no load is left")
    } catch {
        print("picture-soak: \(error)")
        exit(1)
    }
    g_main_loop_quit(loop)
}
g_main_loop_run(loop)
g_main_loop_unref(loop)
