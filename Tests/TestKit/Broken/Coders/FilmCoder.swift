import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A sound coder of three frames, which are the picture of a plain file, moved by a row each time.
protocol FilmCoder: NearlySoundCoder, AnimatedImageCoder {}

/// What a `FilmCoder` is when nothing is wrong with it.
struct SoundFilmCoder: FilmCoder {
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        FilmFrames(bitmap: try plain.decode(request))
    }
}

extension FilmCoder {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.frameCount = 3
        info.frameDurations = [0.1, 0.2, 0.3]
        return info
    }
}

/// Plays a film.
struct FilmFrames: FrameDecoder {
    let bitmap: Bitmap
    var next = 0

    mutating func nextFrame() throws -> Frame? {
        guard next < 3 else { return nil }
        defer { next += 1 }
        return Frame(try bitmap.movedDown(by: next), duration: [0.1, 0.2, 0.3][next])
    }

    mutating func seek(to index: Int) -> Bool {
        next = index
        return true
    }
}

extension Bitmap {
    /// The picture after `rowCount` rows of it went round.
    func movedDown(by rowCount: Int) throws -> Bitmap {
        try Bitmap(size, hasAlpha: hasAlpha) { pixels in
            let offset = rowCount * size.width * 4
            withPixels { source in
                for index in pixels.indices { pixels[(index + offset) % source.count] = source[index] }
            }
        }
    }
}
