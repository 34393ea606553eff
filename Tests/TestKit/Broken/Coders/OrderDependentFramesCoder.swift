import DarkroomCore
import DarkroomTestKit

/// A coder that draws each frame onto the frame requested before, instead of its predecessor.
struct OrderDependentFramesCoder: FilmCoder {
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        Frames(film: FilmFrames(bitmap: try plain.decode(request)))
    }

    private struct Frames: FrameDecoder {
        var film: FilmFrames
        var shownCount = 0

        mutating func nextFrame() throws -> Frame? {
            guard var frame = try film.nextFrame() else { return nil }
            frame.bitmap = try film.bitmap.movedDown(by: shownCount)
            shownCount += 1
            return frame
        }

        mutating func seek(to index: Int) -> Bool { film.seek(to: index) }
    }
}
