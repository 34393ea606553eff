import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// The format of responses whose path names none.
@Suite(.bounded, .bug(id: "Fix formats that change in silence"))
struct FormatTests {
    private static let webP = "image/webp,*/*;q=0.8"

    @Test(arguments: [
        ("resize:30x30,fit/sample%2Fjpeg-17x9.jpg", "*/*", "image/jpeg"),
        ("roundCorner:3/sample%2Fjpeg-17x9.jpg", "*/*", "image/jpeg"),
        ("roundCorner:3/sample%2Fjpeg-17x9.jpg", webP, "image/webp"),
        ("-/sample%2Fjpeg-17x9.jpg", "image/*", "image/jpeg"),
        ("-/sample%2Fjpeg-17x9.jpg", "image/*,image/webp;q=0.5", "image/jpeg"),
        ("-/sample%2Fgif-animated.gif", "*/*", "image/gif"),
        ("-/sample%2Fgif-animated.gif", webP, "image/webp"), ("-/sample%2Fpng-3x5.png", "*/*", "image/png"),
        ("resize:16500x2,stretch/sample%2Fjpeg-17x9.jpg", webP, "image/jpeg"),
        ("resize:16383x2,stretch/sample%2Fjpeg-17x9.jpg", webP, "image/webp"),
        ("resize:2x66000,stretch/sample%2Fjpeg-17x9.jpg", webP, "image/png"),
        ("resize:2x66000,stretch/sample%2Fjpeg-17x9.jpg", "*/*", "image/png"),
    ])
    func formatIsThatOfTheSourceUnlessTheClientNamesWebP(path: String, accept: String, type: String) async throws {
        try await TestServer().run { client, _ in
            let response = try await client.execute(uri: "/insecure/\(path)", method: .get, headers: [.accept: accept])
            #expect(response.status == .ok && response.headers[.contentType] == type, "\(response.headers)")
            #expect(response.headers[.vary] == "Accept")
        }
    }

    /// Not every client displays WebP. The response says that it has another format.
    @Test func otherFormatThanThatOfTheSourceIsAnnounced() async throws {
        try await TestServer().run { client, _ in
            func note(_ path: String, accept: String) async throws -> Bool {
                let response = try await client.execute(
                    uri: "/insecure/\(path)", method: .get, headers: [.accept: accept])
                let timing = try #require(response.headers[.serverTiming])
                return timing.contains("format;desc=") && timing.contains("instead of webp")
            }
            let found = [
                try await note("-/sample%2Fwebp-lossy.webp", accept: "*/*"),
                try await note("-/sample%2Fwebp-lossy.webp", accept: "*/*"),
                try await note("-/sample%2Fwebp-lossy.webp", accept: Self.webP),
                try await note("format:png/sample%2Fwebp-lossy.webp", accept: "*/*"),
            ]
            #expect(found == [true, true, false, false])
        }
    }

    @Test(arguments: ["png/sample%2Fjpeg-420.jpg", "gif/sample%2Fgif-animated.gif", "png/sample%2Fgif-animated.gif"])
    func colorsAreReduced(path: String) async throws {
        try await TestServer().run { client, _ in
            func colorCount(_ options: String) async throws -> Int {
                let response = try await client.execute(uri: "/insecure/\(options)format:\(path)", method: .get)
                #expect(response.status == .ok, "\(response.text)")
                let bitmap = try CoderRegistry.standard.decode(response.data).bitmap
                return bitmap.withPixels { pixels in
                    Set(stride(from: 0, to: pixels.count, by: 4).map { start in (0..<4).map { pixels[start + $0] } })
                        .count
                }
            }
            let all = try await colorCount("")
            let few = try await colorCount("colors:4+")
            let plain = try await colorCount("colors:count=4,dithering=0,tolerance=9+")
            #expect(all > 4)
            #expect((2...4).contains(few) && (2...4).contains(plain))
        }
    }

    @Test(arguments: [
        "colors", "colors:1", "colors:257", "colors:2.5", "colors:9,101", "colors:9,0,256", "colors:9,0,0,0",
    ])
    func impossibleColorsAreBadRequests(option: String) async throws {
        try await TestServer().run { client, _ in
            let response = try await client.execute(
                uri: "/insecure/\(option)/sample%2Fjpeg-420.jpg", method: .get)
            #expect(response.status == .badRequest, "\(response.text)")
        }
    }

    @Test func optionsMayBeEscapedAsAWhole() async throws {
        try await TestServer().run { client, _ in
            var bodies: Set<Data> = []
            for options in [
                "resize:12x8,cover+format:png", "resize%3A12x8%2Ccover%2Bformat%3Apng",
                "resize%3a12x8%2ccover%2bformat%3apng",
                "resize:size=12x8,mode=cover+format:png", "resize%3Asize%3D12x8%2Cmode%3Dcover%2Bformat%3Apng",
            ] {
                let response = try await client.execute(uri: "/insecure/\(options)/sample%2Fjpeg-420.jpg", method: .get)
                #expect(response.status == .ok, "\(options) \(response.text)")
                bodies.insert(response.data)
            }
            #expect(bodies.count == 1)
        }
    }

    @Test(arguments: [
        // The source, the size, and whether it is an animation; then the formats of a client that names AVIF and WebP, one that
        // names AVIF, and one that names none.
        (ImageFormat.jpeg, PixelSize(9, 7), false, [ImageFormat.avif, .avif, .jpeg]),
        (.gif, PixelSize(9, 7), true, [.webp, .gif, .gif]),
        (.png, PixelSize(4_000, 1_001), false, [.webp, .png, .png]),
        (.png, PixelSize(17_000, 2), false, [.avif, .avif, .png]),
        (.tiff, PixelSize(9, 7), false, [.avif, .avif, .jpeg]),
        (.bmp, PixelSize(17_000, 2), false, [.avif, .avif, .jpeg]),
        (.heic, PixelSize(3, 70_000), false, [.png, .png, .png]), (.webp, PixelSize(9, 7), true, [.webp, .gif, .gif]),
    ])
    func formatSuitsTheClientAndTheImage(
        source: ImageFormat, size: PixelSize, isAnimated: Bool, expected: [ImageFormat]
    ) throws {
        let bitmap = try Bitmap(size, hasAlpha: false) { pixels in for index in pixels.indices { pixels[index] = 255 } }
        let frame = Frame(bitmap, duration: .milliseconds(100))
        let image = try #require(Image(frames: isAnimated ? [frame, frame] : [frame], format: source))
        let formats: [ImageFormat] = [.avif, .webp, .jpeg, .png, .gif, .bmp, .tiff, .heic]
        let found = [[ImageFormat.avif, .webp], [.avif], []].map {
            OutputFormat.negotiated($0).format(of: image, among: formats)
        }
        #expect(found == expected)
    }

    /// A file may be encoded once, or up to four times.
    @Test(arguments: [
        (PixelSize(2_000, 2_000), [ImageFormat.avif, .webp]), (PixelSize(1_000, 1_000), [.avif, .avif]),
    ])
    func unaskedAVIFIsBoundedInAllEncodes(size: PixelSize, expected: [ImageFormat]) throws {
        let bitmap = try Bitmap(size, hasAlpha: false) { _ in }
        let image = try #require(Image(frames: [Frame(bitmap, duration: .zero)], format: .jpeg))
        let found = [FileQuality.fixed(0.8), .target(.high)].map {
            OutputFormat.negotiated([.avif, .webp]).format(
                of: image, among: [.avif, .webp, .jpeg], encodeCount: $0.longestEncodeCount)
        }
        #expect(found == expected)
    }

    @Test(arguments: [ImageFormat.png, .webp, .jpeg, .avif])
    func formatOfThePathIsFixed(_ format: ImageFormat) throws {
        let image = try #require(Image(frames: [Frame(.testCard(5, 4), duration: .zero)], format: .gif))
        #expect(OutputFormat.fixed(format).format(of: image, among: [.webp]) == format)
        #expect(OutputFormat.fixed(format).isStill == [.jpeg, .avif].contains(format))
    }
}
