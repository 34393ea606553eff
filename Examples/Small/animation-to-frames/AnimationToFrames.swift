import DarkroomCore
import DarkroomFile
import DarkroomGIF
import DarkroomPNG
import DarkroomWebP
import Foundation
import SmallExample

/// Writes every frame of an animation as a PNG file. Frames are complete images, and only one is in memory at a time.
///
///     swift run --package-path Examples animation-to-frames cat.gif frames
@main
enum AnimationToFrames: SmallExample {
    static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return print("usage: animation-to-frames ANIMATION FOLDER") }
        let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(GIFCoder())
            $0.install(PNGCoder())
            $0.install(WebPCoder())
        }
        let image = try await manager.load(URL(filePath: arguments[1])).image
        guard let animation = image.animation else { return print("\(arguments[1]) is not an animation") }
        let loops = animation.loopCount == 0 ? "for ever" : "\(animation.loopCount) times"
        print("\(animation.frameCount) frames of \(image.size), played \(loops)")

        var decoder = try animation.makeFrameDecoder()
        var number = 1
        while let frame = try decoder.nextFrame() {
            let file = folder.appending(path: "frame-\(number).png")
            let still = Image(info: image.info, bitmap: frame.bitmap)
            try manager.coders.encode(still, as: .png).write(to: file)
            print("\(file.lastPathComponent): \(frame.duration)")
            number += 1
        }
    }
}
