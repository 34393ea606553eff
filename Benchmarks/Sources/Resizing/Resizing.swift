import DarkroomCore
import Photograph

/// Resizes 12 megapixels, and prints the CPU time per source pixel in nanoseconds: `resizing [ROUNDS]`.
@main
enum Resizing {
    private static let source = PixelSize(4000, 3000)
    private static let targets = [PixelSize(400, 300), PixelSize(1280, 960)]
    private static let kinds = [(false, false), (true, false), (false, true), (true, true)]

    static func main() throws {
        let roundCount = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 9
        let bitmaps = [false: try bitmap(hasAlpha: false), true: try bitmap(hasAlpha: true)]
        var times: [[Double]] = Array(repeating: [], count: targets.count * kinds.count)
        for _ in 0..<max(roundCount, 1) {
            for (index, target) in targets.enumerated() {
                for (place, (hasAlpha, inLinearLight)) in kinds.enumerated() {
                    let time = try cpuMilliseconds {
                        _ = try bitmaps[hasAlpha]?.resized(to: target, inLinearLight: inLinearLight)
                    }
                    times[index * kinds.count + place].append(time)
                }
            }
        }
        print("\(source) by Lanczos3, CPU ns per source pixel, medians of \(roundCount) rounds")
        for (index, target) in targets.enumerated() {
            for (place, (hasAlpha, inLinearLight)) in kinds.enumerated() {
                let nanoseconds = times[index * kinds.count + place].median * 1e6 / Double(source.width * source.height)
                let name = (hasAlpha ? "alpha" : "opaque") + (inLinearLight ? ", linear light" : "")
                print("to \(target), \(name): \((nanoseconds * 1000).rounded() / 1000)")
            }
        }
    }

    /// Draws gradients with noise, and optionally another gradient as alpha.
    private static func bitmap(hasAlpha: Bool) throws -> Bitmap {
        var state: UInt32 = 2
        return try Bitmap(source, hasAlpha: hasAlpha) { pixels in
            for index in 0..<(source.width * source.height) {
                state = state &* 1_664_525 &+ 1_013_904_223
                let (x, y, grain) = (index % source.width, index / source.width, Int(state >> 27))
                pixels[index * 4] = UInt8(x * 223 / source.width + grain)
                pixels[index * 4 + 1] = UInt8(y * 223 / source.height + grain)
                pixels[index * 4 + 2] = UInt8((x + y) * 223 / (source.width + source.height) + grain)
                pixels[index * 4 + 3] = hasAlpha ? UInt8((x + source.height - y) * 255 / 7000) : 255
            }
        }
    }
}
