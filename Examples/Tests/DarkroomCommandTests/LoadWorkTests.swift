import Console
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

struct LoadWorkTests {
    @Test(arguments: [ImageFormat.gif, .webp, .png])
    func allFramesReachTheEncoder(format: ImageFormat) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a").path
            let written = try await work(.file(file), format).write(try animation, 0)
            #expect(written?.path == file)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(format): 3")
        }
    }

    @Test func firstFrameIsAStill() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a").path
            let context = ImageContext { $0.firstFrameOnly = true }
            _ = try await work(.file(file), .jpeg, context).write(try animation, 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "jpeg: 1")
        }
    }

    @Test func animationsWithoutAFormatBecomePNG() async throws {
        try await withTemporaryDirectory { folder in
            let source = try #require(Source(argument: "cat.gif"))
            _ = try await work(.folder(OutputFolder(folder.path, [source])), nil).write(try animation, 0)
            #expect(try folder.names == ["cat.png"])
        }
    }

    @Test func animationsAsJPEGAreUnsupported() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.jpg").path
            let work = LoadWork(
                sources: [], loader: loader(.init(), JPEGCoder()), destination: .file(file), format: nil)
            let image = try animation
            let error = await #expect(throws: ImageError.self) { try await work.write(image, 0) }
            #expect(error?.kind == .unsupported)
            #expect(try folder.names.isEmpty)
        }
    }

    private var animation: Image {
        get throws { try #require(try Image(frames: [0, 0.1, 0.2].map { Frame(try .row([$0]), duration: 0.1) })) }
    }

    private func work(_ destination: Destination, _ format: ImageFormat?, _ context: ImageContext = .init()) -> LoadWork
    {
        LoadWork(sources: [], loader: loader(context, CountingCoder()), destination: destination, format: format)
    }

    private func loader(_ context: ImageContext, _ coder: any ImageCoder) -> SourceLoader {
        SourceLoader(manager: try! ImageManager { $0.coders.register(coder) }, context: context, progress: nil)
    }
}

/// Writes the format and the number of frames.
private struct CountingCoder: EncodingImageCoder {
    let formats: [ImageFormat] = [.gif, .webp, .png, .jpeg]

    func canDecode(_ data: Data) -> Bool { false }

    func info(of request: InfoRequest) throws -> ImageInfo { throw ImageError(.unsupported, .decode, "it only writes") }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        throw ImageError(.unsupported, .decode, "it only writes")
    }

    func encode(_ request: EncodeRequest) throws -> Data {
        var count = 0
        try request.forEachFrame { _ in count += 1 }
        return Data("\(request.format): \(count)".utf8)
    }
}
