import CHostile
import DarkroomCore
import DarkroomPlatform

extension ImageFormat {
    static let hostile = ImageFormat(
        identifier: "test.hostile", mimeType: "image/x-hostile", fileExtension: "hostile", signatures: ["HOSTILE "])
}

/// A coder that does what its input says, such as `HOSTILE pixels segfault `.
struct HostileCoder: EncodingImageCoder, AnimatedImageCoder, ProgressiveImageCoder {
    let formats = [ImageFormat.hostile]

    /// Returns the file that makes a worker do `act` in `phase`.
    static func file(_ act: String, in phase: String = "pixels") -> Data { Data("HOSTILE \(phase) \(act) ".utf8) }

    func canDecode(_ data: Data) -> Bool {
        _ = try? act(data, in: "recognition")
        return ImageFormat.hostile.matches(data)
    }

    func info(of request: InfoRequest) throws -> ImageInfo {
        try act(request.data, in: "header")
        var info = ImageInfo(format: .hostile, storedSize: PixelSize(64, 64))
        switch Self.words(request.data) {
        case ["header", "hugeSize"]: info.storedSize = PixelSize(.max, 3)
        case ["header", "largeSize"]: info.storedSize = PixelSize(100_000, 100_000)
        case ["header", "niceness"]: info.storedSize = PixelSize(100 + Int(hostile_niceness()), 64)
        case ["header", "noSize"]: info.storedSize = PixelSize(0, -1)
        case ["header", "negativeFrames"]: info.frameCount = -4
        case ["header", "framesWithoutDurations"]: info.frameCount = 4
        case ["header", "bits"]: info.bitsPerChannel = 99
        case ["header", "otherFormat"]: info.format = .png
        default: break
        }
        if Self.words(request.data).first == "frames" {
            info.frameCount = 3
            info.frameDurations = [.seconds(1), .seconds(2), .seconds(3)]
        }
        return info
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        if Self.words(request.data) == ["pixels", "otherSize"] {
            return try Bitmap(PixelSize(3, 5), hasAlpha: false) { _ in }
        }
        try act(request.data, in: "pixels")
        return try Bitmap(request.info.storedSize, hasAlpha: true) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 4) }
        }
    }

    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder { Frames(coder: self, request: request) }

    private struct Frames: FrameDecoder {
        let coder: HostileCoder
        let request: DecodeRequest
        var next = 0
        var hasFailed = false

        mutating func nextFrame() throws -> Frame? {
            guard next < 3 else { return nil }
            next += 1
            if next == 2 { try coder.act(request.data, in: "frames") }
            return Frame(try coder.decode(request), duration: .seconds(next))
        }

        /// Supported by two files only. In one, it fails when it first goes back, and in the other, after a frame.
        mutating func seek(to index: Int) throws -> Bool {
            switch HostileCoder.words(request.data) {
            case ["frames", "failToGoBack"]:
                if index < next, !hasFailed {
                    hasFailed = true
                    throw ImageError(.overLimit, .decode, "the decoder failed to go back")
                }
            case ["frames", "seekInSteps"]:
                if index > next + 1 {
                    next += 1
                    throw ImageError(.overLimit, .decode, "the decoder failed to go on")
                }
            default: return false
            }
            next = index
            return true
        }
    }

    func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        Previews(coder: self, request: request)
    }

    private struct Previews: PreviewDecoder {
        let coder: HostileCoder
        let request: DecodeRequest
        private var data = Data()

        init(coder: HostileCoder, request: DecodeRequest) { (self.coder, self.request) = (coder, request) }

        mutating func append(_ bytes: Data) throws -> Bitmap? {
            data += bytes
            try coder.act(data, in: "previews")
            return try coder.decode(request)
        }

        mutating func finish() throws -> Bitmap { try coder.decode(request) }
    }

    func encode(_ request: EncodeRequest) throws -> Data {
        // The comment of the picture says what to do.
        for comment in request.image.info.comments { try act(Data(comment.utf8), in: "encoding") }
        return Data("HOSTILE pixels nothing ".utf8)
    }

    private func act(_ data: Data, in phase: String) throws {
        let words = Self.words(data)
        guard words.count == 2, words[0] == phase else { return }
        if words[1] == "trap" {
            let empty: [Int] = []
            _ = empty[words.count]
        }
        let result = unsafe data.withUnsafeBytes { bytes in
            unsafe hostile_do(words[1], bytes.baseAddress, bytes.count)
        }
        // An unknown act is part of the file.
        guard result != 1 << 30 else { return }
        throw ImageError(.unsupported, .decode, "\(words[1]) returned \(result)")
    }

    private static func words(_ data: Data) -> [String] {
        String(decoding: data.prefix(100), as: UTF8.self).split(separator: " ").dropFirst().map(String.init)
    }
}
