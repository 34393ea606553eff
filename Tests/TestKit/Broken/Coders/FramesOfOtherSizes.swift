import DarkroomCore
import DarkroomTestKit

/// Its later frames are patches.
struct FramesOfOtherSizes: FilmCoder {
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        Frames(film: FilmFrames(bitmap: try plain.decode(request)), request: request)
    }

    private struct Frames: FrameDecoder {
        var film: FilmFrames
        let request: DecodeRequest

        mutating func nextFrame() throws -> Frame? {
            guard var frame = try film.nextFrame() else { return nil }
            // Core makes the size right, so that only the pixels can tell; the alpha flag it leaves alone.
            if film.next > 1 {
                frame.bitmap = try Bitmap(frame.bitmap.size, hasAlpha: !frame.bitmap.hasAlpha) { pixels in
                    for index in pixels.indices { pixels[index] = 255 }
                }
            }
            return frame
        }
    }
}
