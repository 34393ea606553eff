import DarkroomCore
import DarkroomTestKit

/// A coder that returns later frames whose alpha differs from that of the image.
struct MismatchedFramesCoder: FilmCoder {
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        Frames(film: FilmFrames(bitmap: try plain.decode(request)), request: request)
    }

    private struct Frames: FrameDecoder {
        var film: FilmFrames
        let request: DecodeRequest

        mutating func nextFrame() throws -> Frame? {
            guard var frame = try film.nextFrame() else { return nil }
            // Core corrects the size of a frame, but not its alpha flag.
            if film.next > 1 {
                frame.bitmap = try Bitmap(frame.bitmap.size, hasAlpha: !frame.bitmap.hasAlpha) { pixels in
                    for index in pixels.indices { pixels[index] = 255 }
                }
            }
            return frame
        }
    }
}
