import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

struct ResamplingPathTests {
    /// Sizes that are odd, tiny, equal, enlarged, and reduced enough for averaging.
    private static func sizes(_ random: inout SeededGenerator) -> (PixelSize, PixelSize) {
        func side(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }
        let source = PixelSize(side(140), side(70))
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: (source, PixelSize(source.width, side(20)))
        case 1: (source, PixelSize(side(20), source.height))
        case 2: (source, PixelSize(side(6), side(6)))
        default: (source, PixelSize(side(90), side(50)))
        }
    }

    @Test(arguments: ResamplingPath.available.filter { $0 != .portable }, 0..<12)
    func allPathsMatchThePortableOne(path: ResamplingPath, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for filter in ResamplingFilter.allCases {
            for (hasAlpha, inLinearLight) in [(false, false), (true, false), (false, true), (true, true)] {
                let (source, target) = Self.sizes(&random)
                let bitmap = Bitmap.noise(source, hasAlpha: hasAlpha, &random)
                let extent: (width: Double, height: Double)? =
                    Bool.random(using: &random)
                    ? (Double(source.width) - 0.375, Double(source.height) - 0.125) : nil
                func resized(_ path: ResamplingPath) throws -> Bitmap {
                    var resampler = try RowResampler(
                        from: source, extent: extent, to: target, hasAlpha: hasAlpha, filter: filter,
                        inLinearLight: inLinearLight, path: path)
                    resampler.appendRows(of: bitmap)
                    return resampler.finish()
                }
                #expect(try resized(path) == resized(.portable), "\(source) to \(target) \(filter) \(hasAlpha)")
            }
        }
    }

    /// A whole bitmap is not resized row by row.
    @Test(arguments: 0..<12) func wholeBitmapsMatchTheirRows(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for filter in ResamplingFilter.allCases {
            for (hasAlpha, inLinearLight) in [(false, false), (true, false), (false, true), (true, true)] {
                let (source, target) = Self.sizes(&random)
                let bitmap = Bitmap.noise(source, hasAlpha: hasAlpha, &random)
                var resampler = try RowResampler(
                    from: source, to: target, hasAlpha: hasAlpha, filter: filter, inLinearLight: inLinearLight,
                    path: .portable)
                resampler.appendRows(of: bitmap)
                let whole = try bitmap.resized(to: target, filter: filter, inLinearLight: inLinearLight)
                #expect(whole == resampler.finish() || source == target, "\(source) to \(target) \(filter) \(hasAlpha)")
            }
        }
    }

    @Test func fastestPathIsAvailable() {
        #expect(ResamplingPath.available.contains(.fastest) && ResamplingPath.available.contains(.portable))
    }
}

extension RowResampler {
    /// Appends all rows of `bitmap`, one by one.
    mutating func appendRows(of bitmap: Bitmap) {
        let rowByteCount = bitmap.size.width * 4
        bitmap.withPixels { pixels in
            for y in 0..<bitmap.size.height {
                append(pixels.extracting((y * rowByteCount)..<((y + 1) * rowByteCount)))
            }
        }
    }
}

extension Bitmap {
    /// Any values; every fourth pixel is black, white or transparent, so that sums exceed the range.
    fileprivate static func noise(_ size: PixelSize, hasAlpha: Bool, _ random: inout SeededGenerator) -> Bitmap {
        Bitmap(size.width, size.height, hasAlpha: hasAlpha) { x, y in
            func level() -> UInt8 { .random(in: 0...255, using: &random) }
            if (x + y) % 4 == 0 {
                let extreme: UInt8 = level() < 128 ? 0 : 255
                return Color(red: extreme, green: extreme, blue: extreme, alpha: hasAlpha ? extreme : 255)
            }
            let alpha = Bool.random(using: &random) ? level() : level() / 64
            return Color(red: level(), green: level(), blue: level(), alpha: hasAlpha ? alpha : 255)
        }
    }
}
