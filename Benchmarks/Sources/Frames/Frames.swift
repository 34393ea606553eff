import CReference
import DarkroomCore
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Plays animations with Darkroom and with plain C alternately, and prints both CPU times: `frames FILE...` (GIF or
/// WebP).
@main
enum Frames {
    private static let roundCount = 7

    static func main() throws {
        print("all frames, CPU ms, medians of \(roundCount) rounds: Darkroom, C, ratio; largest difference")
        for path in CommandLine.arguments.dropFirst() {
            let file = try Data(contentsOf: URL(filePath: path))
            let isGIF = ImageFormat.gif.matches(file)
            let difference = try largestDifference(file, isGIF: isGIF)
            var (ours, plain): ([Double], [Double]) = ([], [])
            for _ in 0..<roundCount {
                ours.append(try cpuMilliseconds { try play(file) { _ in } })
                plain.append(cpuMilliseconds { unsafe playReference(file, isGIF: isGIF) { _ in } })
            }
            let ratio = (ours.median / plain.median * 100).rounded() / 100
            print(path, ours.median.rounded(), plain.median.rounded(), ratio, difference, separator: "  ")
        }
    }

    /// Returns the largest difference between the frames of both. If it is large, the times are not comparable.
    private static func largestDifference(_ file: Data, isGIF: Bool) throws -> Int {
        var frames: [Bitmap] = []
        try play(file) { frames.append($0) }
        var (index, largest) = (0, 0)
        unsafe playReference(file, isGIF: isGIF) { canvas in
            guard index < frames.count else { return largest = 256 }
            frames[index].withPixels { pixels in
                for offset in pixels.indices where unsafe canvas[offset | 3] > 0 || pixels[offset | 3] > 0 {
                    largest = unsafe max(largest, abs(Int(pixels[offset]) - Int(canvas[offset])))
                }
            }
            index += 1
        }
        return index == frames.count ? largest : 256
    }

    private static func play(_ file: Data, _ show: (Bitmap) -> Void) throws {
        let image = try Photograph.coders.decode(file)
        guard var decoder = try image.animation?.makeFrameDecoder() else { return show(image.bitmap) }
        while let frame = try decoder.nextFrame() { show(frame.bitmap) }
    }

    private static func playReference(_ file: Data, isGIF: Bool, _ show: (UnsafePointer<UInt8>) -> Void) {
        unsafe withoutActuallyEscaping(show) { show in
            unsafe file.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let play = unsafe isGIF ? reference_play_gif : reference_play_webp
                var shown = unsafe Shown(show: show)
                unsafe withUnsafeMutablePointer(to: &shown) { shown in
                    _ = unsafe play(start, bytes.count, showFrame, shown)
                }
            }
        }
    }
}

@safe private struct Shown {
    let show: (UnsafePointer<UInt8>) -> Void
}

private func showFrame(_ context: UnsafeMutableRawPointer?, _ canvas: UnsafePointer<UInt8>?) {
    guard let context = unsafe context, let canvas = unsafe canvas else { return }
    unsafe context.assumingMemoryBound(to: Shown.self).pointee.show(canvas)
}
