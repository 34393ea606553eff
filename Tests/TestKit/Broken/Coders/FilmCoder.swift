import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder of three frames: the image of a plain file, rotated by one more row each time.
protocol FilmCoder: PlainCoderWrapper, AnimatedImageCoder {}

/// A `FilmCoder` without a defect.
struct SoundFilmCoder: FilmCoder {
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        FilmFrames(bitmap: try plain.decode(request))
    }
}

extension FilmCoder {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.frameCount = 3
        info.frameDurations = [.milliseconds(100), .milliseconds(200), .milliseconds(300)]
        return info
    }
}

/// The frame decoder of a film.
struct FilmFrames: FrameDecoder {
    let bitmap: Bitmap
    var next = 0

    mutating func nextFrame() throws -> Frame? {
        guard next < 3 else { return nil }
        defer { next += 1 }
        return Frame(try bitmap.movedDown(by: next), duration: .milliseconds(100 * (next + 1)))
    }

    mutating func seek(to index: Int) -> Bool {
        next = index
        return true
    }
}

extension Bitmap {
    /// Returns the image rotated down by `rowCount` rows; those at the bottom reappear at the top.
    func movedDown(by rowCount: Int) throws -> Bitmap {
        try Bitmap(size, hasAlpha: hasAlpha) { pixels in
            let offset = rowCount * size.width * 4
            withPixels { source in
                for index in pixels.indices { pixels[(index + offset) % source.count] = source[index] }
            }
        }
    }
}
