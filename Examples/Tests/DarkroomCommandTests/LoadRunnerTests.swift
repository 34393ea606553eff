import Console
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

struct LoadRunnerTests {
    @Test(arguments: [ImageFormat.gif, .webp, .png])
    func allFramesReachTheEncoder(format: ImageFormat) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a").path
            let image = try await load(to: .file(file), as: format)
            #expect(image.output == file)
            #expect(image.frameCount == 3)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(format): 3")
        }
    }

    @Test func firstFrameIsAStill() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a").path
            let image = try await load(
                to: .file(file), as: .jpeg, context: ImageContext { $0.usesFirstFrameOnly = true })
            #expect(image.frameCount == 1)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "jpeg: 1")
        }
    }

    @Test func animationsWithoutAFormatKeepThatOfTheSource() async throws {
        try await withTemporaryDirectory { folder in
            let source = try #require(Source(argument: "cat.gif"))
            _ = try await load(to: .folder(OutputFolder(folder.path, sources: [source])), as: nil)
            #expect(try folder.names == ["cat.png"])
        }
    }

    @Test func animationsAsJPEGAreUnsupported() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.jpg").path
            let error = await #expect(throws: ImageError.self) {
                try await load(to: .file(file), as: nil, coder: JPEGCoder())
            }
            let names = try folder.names
            #expect(error?.kind == .unsupported)
            #expect(names.isEmpty)
        }
    }

    /// Loads an animation of three frames, and writes it to `destination`.
    private func load(
        to destination: Destination, as format: ImageFormat?, context: ImageContext = .init(),
        coder: any ImageCoder = CountingCoder()
    ) async throws -> LoadedImage {
        let frames = try [0, 0.1, 0.2].map { Frame(try .row([$0]), duration: .milliseconds(100)) }
        let animation = try #require(Image(frames: frames))
        let manager = try ImageManager {
            $0.coders.register(coder)
            $0.install(FakeLoader { _ in LoadResponse(.image(animation)) })
        }
        var context = context
        context.encodedFormat = .written(format, to: destination)
        let runner = LoadRunner(
            sources: [try #require(Source(argument: "http://example.com/cat.gif"))],
            loader: SourceLoader(manager: manager, context: context, progress: nil), destination: destination,
            inputs: InputFiles([]))
        return try await runner.outcome(of: 0).result.get()
    }
}

/// Encodes an image as the name of the format and the number of frames.
private struct CountingCoder: EncodingImageCoder {
    let formats: [ImageFormat] = [.gif, .webp, .png, .jpeg]

    func canDecode(_ data: Data) -> Bool { false }

    func info(of request: InfoRequest) throws -> ImageInfo {
        throw ImageError(.unsupported, .decode, "the coder only encodes")
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        throw ImageError(.unsupported, .decode, "the coder only encodes")
    }

    func encode(_ request: EncodeRequest) throws -> Data {
        var count = 0
        try request.forEachFrame { _ in count += 1 }
        return Data("\(request.format): \(count)".utf8)
    }
}
