import DarkroomCore
import DarkroomTransformers
import Foundation
import TestSupport
import Testing

struct SmartCroppingTests {
    /// A grey image with noise in the columns or rows of `range`.
    private func busy(_ size: PixelSize, _ range: Range<Int>, isWide: Bool) -> Bitmap {
        let noise = Bitmap.noise(size.width, size.height)
        return Bitmap(size.width, size.height) { x, y in
            range.contains(isWide ? x : y) ? noise.color(x: x, y: y)! : Color(red: 90, green: 90, blue: 90)
        }
    }

    @Test(arguments: SmartCropping.Measure.allCases, [0, 7, 20])
    func mostDetailedPartIsKept(measure: SmartCropping.Measure, start: Int) throws {
        let wide = busy(PixelSize(30, 10), start..<(start + 10), isWide: true)
        let crop = try wide.after(.smartCrop(10, 10, by: measure))
        #expect(crop == Bitmap(10, 10) { x, y in wide.color(x: x + start, y: y)! })
        let high = busy(PixelSize(10, 30), start..<(start + 10), isWide: false)
        let highCrop = try high.after(.smartCrop(10, 10, by: measure))
        #expect(highCrop == Bitmap(10, 10) { x, y in high.color(x: x, y: y + start)! })
    }

    /// Returns the best window, computing the score of each from scratch.
    private func best(_ bitmap: Bitmap, _ side: Int, _ measure: SmartCropping.Measure) -> Int {
        func luma(_ x: Int, _ y: Int) -> Int {
            let color = bitmap.color(
                x: min(max(x, 0), bitmap.size.width - 1), y: min(max(y, 0), bitmap.size.height - 1))!
            let sum = Int(color.red) * 77 + Int(color.green) * 150 + Int(color.blue) * 29
            return (sum * Int(color.alpha) / 255) >> 8
        }
        func entropy(_ start: Int) -> Double {
            var counts: [Int: Double] = [:]
            for y in 0..<side { for x in start..<(start + side) { counts[luma(x, y), default: 0] += 1 } }
            let total = Double(side * side)
            return -counts.values.reduce(0) { $0 + $1 / total * log2($1 / total) }
        }
        func edges(_ start: Int) -> Double {
            var sum = 0
            for y in 0..<side {
                for x in start..<(start + side) {
                    let gx = (-1...1).reduce(0) { $0 + (2 - abs($1)) * (luma(x + 1, y + $1) - luma(x - 1, y + $1)) }
                    let gy = (-1...1).reduce(0) { $0 + (2 - abs($1)) * (luma(x + $1, y + 1) - luma(x + $1, y - 1)) }
                    sum += abs(gx) + abs(gy)
                }
            }
            return Double(sum)
        }
        let scores = (0...(bitmap.size.width - side)).map { measure == .entropy ? entropy($0) : edges($0) }
        let most = scores.max()!
        return scores.indices.filter { scores[$0] > most - 1e-9 }.min {
            abs($0 * 2 - scores.count + 1) < abs($1 * 2 - scores.count + 1)
        }!
    }

    @Test(arguments: SmartCropping.Measure.allCases, [false, true])
    func windowMatchesTheReferenceImplementation(measure: SmartCropping.Measure, hasAlpha: Bool) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let picture = Bitmap.noise(20, 6, hasAlpha: hasAlpha, seed: seed)
            let crop = try picture.after(.smartCrop(6, 6, by: measure))
            let start = best(picture, 6, measure)
            #expect(crop == Bitmap(6, 6, hasAlpha: hasAlpha) { x, y in picture.color(x: x + start, y: y)! })
        }
    }

    @Test(arguments: SmartCropping.Measure.allCases)
    func tiesAreResolvedTowardsTheMiddle(measure: SmartCropping.Measure) throws {
        let marked = Bitmap(9, 3) { x, _ in x == 4 ? .white : Color(red: 0, green: 0, blue: 0) }
        #expect(
            try marked.after(.smartCrop(3, 3, by: measure))
                == Bitmap(3, 3) { x, _ in
                    x == 1 ? .white : Color(red: 0, green: 0, blue: 0)
                })
    }

    @Test(
        arguments: SmartCropping.Measure.allCases,
        [PixelSize(5, 9), PixelSize(40, 3), PixelSize(17, 17), PixelSize(1, 1)])
    func sizeIsExactlyTheRequestedOne(measure: SmartCropping.Measure, size: PixelSize) throws {
        let crop = try Bitmap.noise(23, 14).after(
            .smartCrop(Double(size.width), Double(size.height), by: measure))
        #expect(crop.size == size)
        #expect(!crop.hasAlpha)
    }

    @Test func firstFrameDecidesForAllFrames() throws {
        let first = busy(PixelSize(30, 10), 3..<13, isWide: true)
        let second = busy(PixelSize(30, 10), 18..<28, isWide: true)
        let (request, cropping) = (TransformRequest(), SmartCropping(width: 10, height: 10))
        let resolved = try cropping.resolved(forFirstFrame: first, request: request)
        #expect(
            try resolved.transform(second, for: request) == Bitmap(10, 10) { x, y in second.color(x: x + 3, y: y)! })
        #expect(try resolved.transform(first, for: request) == cropping.transform(first, for: request))
    }

    @Test func identifiersContainSizeAndMeasure() {
        #expect(SmartCropping(width: 100, height: 50).identifier == "SmartCropping({100.000000,50.000000},entropy)")
        #expect(SmartCropping(width: 1, height: 1, by: .edges).identifier == "SmartCropping({1.000000,1.000000},edges)")
    }

    @Test func invalidSidesAreErrors() {
        for (side, text) in [(0.0, "0.0"), (-1, "-1.0"), (.nan, "nan"), (.infinity, "inf"), (2e9, "2000000000.0")] {
            expectUnsupported(.smartCrop(side, 1), saying: "width to crop to is \(text), but must be above 0")
            expectUnsupported(.smartCrop(1, side), saying: "height to crop to is \(text), but must be above 0")
        }
        expectOverLimit(.smartCrop(1e9, 1e9))
    }
}
