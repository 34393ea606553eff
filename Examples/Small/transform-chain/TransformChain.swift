import DarkroomCore
import DarkroomFile
import DarkroomJPEG
import DarkroomPNG
import DarkroomTransformers
import Foundation
import SmallExample

/// Makes a round portrait of a photograph with a chain of transformers, written in code and as text.
///
///     swift run --package-path Examples transform-chain photo.jpg portrait.png
@main
enum TransformChain: SmallExample {
    static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return print("usage: transform-chain IMAGE PORTRAIT") }

        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(JPEGCoder())
            $0.install(PNGCoder())
        }
        let context = ImageContext {
            $0.transformers = [
                .resize(96, 96, .cover, gravity: .top), .adjust(saturation: 0), .sharpen(), .roundCorner(radius: 48),
            ]
        }
        let result = try await manager.load(URL(filePath: arguments[1]), context: context)
        try manager.coders.encode(result.image, as: .png).write(to: URL(filePath: arguments[2]))
        print("\(result.image.info.size) became \(result.image.size)")

        // Text from users, in a URL or a setting, is checked against the same bounds as code.
        let words = "resize:96x96,cover,gravity=top+adjust:saturation=0+sharpen+roundCorner:48"
        let written = try TransformNotation().transformers(for: words)
        let isSame = written.map(\.identifier) == context.transformers.map(\.identifier)
        print("\(words) is \(isSame ? "the same" : "another") chain")
    }
}
