import Darkroom
import DarkroomTestKit
import Foundation
import Testing

struct ImageExampleTests {
    @Test func firstLoadShowsAnImageInTheTerminal() async throws {
        let run = try await Example("first-load").run(Repository.fixture("jpeg-420.jpg"))
        #expect(run.status == 0)
        #expect(run.lines.last == "jpeg-420.jpg: 35×21 jpeg, shown at 35×21")
        // Each line shows two rows of pixels.
        #expect(run.lines.count == 12 && run.lines[0].count { $0 == "▀" } == 35)
    }

    @Test func transformChainMakesARoundGreyPortrait() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "portrait.png").path
            let run = try await Example("transform-chain").run(Repository.fixture("jpeg-420.jpg"), file)
            #expect(run.status == 0)
            let source = try ImageFiles.decode(Repository.fixture("jpeg-420.jpg"))
            #expect(run.lines.first == "\(source.size) became 96×96")
            #expect(run.lines.last?.hasSuffix(" is the same chain") == true)
            let portrait = try ImageFiles.decode(file)
            #expect(portrait.size == PixelSize(96, 96))
            #expect(portrait.color(x: 0, y: 0)?.alpha == 0 && portrait.color(x: 95, y: 95)?.alpha == 0)
            let center = try #require(portrait.color(x: 48, y: 48))
            #expect(center.alpha == 255 && center.red == center.green && center.green == center.blue)
        }
    }

    @Test func animationToFramesWritesCompleteFrames() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await Example("animation-to-frames").run(
                Repository.fixture("gif-animated-partial.gif"), folder.path)
            #expect(run.status == 0)
            let image = try ImageFiles.load(Repository.fixture("gif-animated-partial.gif"))
            let frames = try #require(try image.animation?.frames())
            #expect(run.lines.count == frames.count + 1)
            #expect(run.lines.first == "\(frames.count) frames of \(image.size), played for ever")
            for (index, frame) in frames.enumerated() {
                let written = try ImageFiles.decode(folder.appending(path: "frame-\(index + 1).png").path)
                #expect(written == frame.bitmap)
            }
        }
    }

    @Test func ownContextKeyDistinguishesImages() async throws {
        let run = try await Example("own-context-key").run(Repository.fixture("jpeg-420.jpg"))
        #expect(run.status == 0)
        #expect(
            run.lines.map { $0.drop { $0 != "," } } == [
                ", key ends in Posterize()", ", key ends in Levels(4)-Posterize()",
                ", key ends in Levels(2)-Posterize()",
            ])
        let counts = run.lines.compactMap { Int($0.prefix { $0.isNumber }) }
        #expect(counts.count == 3 && counts[0] > counts[1] && counts[1] > counts[2] && counts[2] <= 8)
    }

    @Test func thumbnailBatchMakesAThumbnailOfEachImage() async throws {
        try await withTemporaryDirectory { folder in
            let images = folder.appending(path: "images")
            try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
            for name in ["jpeg-420.jpg", "png-rgba-8.png", "webp-lossy.webp"] {
                let source = URL(filePath: Repository.fixture(name))
                try FileManager.default.copyItem(at: source, to: images.appending(path: name))
            }
            try Data("not an image".utf8).write(to: images.appending(path: "broken.png"))
            try Data("not an image".utf8).write(to: images.appending(path: "notes.txt"))
            let output = folder.appending(path: "thumbnails")
            let run = try await Example("thumbnail-batch").run(images.path, output.path)
            #expect(run.status == 0)
            #expect(run.lines.last == "3 thumbnails, 1 failures")
            #expect(run.lines.first?.hasSuffix("\r[\(String(repeating: "#", count: 40))]") == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: output.path).sorted()
            #expect(names == ["jpeg-420.jpg", "png-rgba-8.png", "webp-lossy.webp"])
            for name in names {
                let size = try ImageFiles.decode(output.appending(path: name).path).size
                #expect(size == Thumbnail.fit(180, 120).size(for: try ImageFiles.decode(Repository.fixture(name)).size))
            }
        }
    }

    @Test func tracedLoadPrintsSpansAsATree() async throws {
        let run = try await Example("traced-load").run(Repository.fixture("jpeg-420.jpg"))
        #expect(run.status == 0)
        let names = run.lines.map { String($0.prefix { $0 == " " }) + ($0.split(separator: " ").first ?? "") }
        #expect(names.first == "page")
        #expect(names.count { $0 == "  darkroom.load" } == 2)
        #expect(names.count { $0 == "    darkroom.decode" } == 1)
        #expect(run.lines.contains { $0.hasSuffix(", local") } && run.lines.contains { $0.hasSuffix(", memory") })
    }

    @Test func cellReuseShowsOnlyTheLastRow() async throws {
        let run = try await Example("cell-reuse").run()
        #expect(run.status == 0)
        let lines = (0..<6).map { "row \($0) was cancelled" } + (6..<9).map { "row \($0) was loaded" }
        #expect(Set(run.lines.prefix(9)) == Set(lines))
        #expect(run.lines.suffix(3) == (0..<3).map { "cell \($0) showed nothing, nothing, nothing, row \($0 + 6)" })
    }
}
