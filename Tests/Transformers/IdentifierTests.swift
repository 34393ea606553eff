import DarkroomCore
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

/// Caches and shared runs treat transformers with equal identifiers as equal.
struct IdentifierTests {
    /// A transformer with one parameter that need not be a whole number.
    struct Parameter: CustomTestStringConvertible {
        let testDescription: String
        let range: ClosedRange<Double>
        let transformer: @Sendable (Double) -> any ImageTransformer

        init(
            _ name: String, _ range: ClosedRange<Double>,
            _ transformer: @escaping @Sendable (Double) -> any ImageTransformer
        ) {
            testDescription = name
            self.range = range
            self.transformer = transformer
        }
    }

    private static let parameters: [Parameter] = sizes + shapes + colors

    private static let sizes: [Parameter] = [
        Parameter("width of resizing", 0...20) { .resize($0, 5) },
        Parameter("height of resizing", 0...20) { .resize(5, $0, .cover, gravity: .top) },
        Parameter("sides of resizing", 0...20) { .resize($0, $0, .fit, inLinearLight: true) },
        Parameter("sides of a speck", 0.009...0.011) { .resize($0, $0, .fit) },
        Parameter("only width of resizing", 0...20) { .resize(width: $0) },
        Parameter("only height of resizing", 0...20) { .resize(height: $0) },
        Parameter("sides of a thumbnail", 0...20) { .thumbnail($0, $0) },
        Parameter("focus of a thumbnail", 0...1) { .thumbnail(.cover(3, 3, focus: .init(x: $0, y: 0.25))) },
        Parameter("width of a canvas", 0...20) { .canvas(width: $0, height: 5) },
        Parameter("height of a canvas", 0...20) { .canvas(width: 5, height: $0, background: .white) },
        Parameter("top padding", 0...20) { .pad(top: $0) },
        Parameter("left padding", 0...20) { .pad(left: $0, background: .white) },
        Parameter("bottom padding", 0...20) { .pad(bottom: $0) },
        Parameter("right padding", 0...20) { .pad(right: $0) },
        Parameter("x of a crop", -5...20) { .crop(x: $0, y: 0, width: 3, height: 3) },
        Parameter("y of a crop", -5...20) { .crop(x: 0, y: $0, width: 3, height: 3) },
        Parameter("width of a crop", 0...20) { .crop(x: 0.5, y: 0, width: $0, height: 3) },
        Parameter("height of a crop", 0...20) { .crop(x: 0, y: 0, width: 3, height: $0) },
        Parameter("aspect ratio", 0...20) { .crop(aspectRatio: $0) },
        Parameter("width of a smart crop", 0...20) { .smartCrop($0, 5) },
        Parameter("height of a smart crop", 0...20) { .smartCrop(5, $0, by: .edges) },
    ]

    private static let shapes: [Parameter] = [
        Parameter("angle", -7...7) { .rotate(radians: $0) },
        Parameter("angle at the same size", -7...7) { .rotate(radians: $0, fitsSize: false) },
        Parameter("radius of corners", 0...20) { .roundCorner(radius: $0) },
        Parameter("width of a border", 0...4) { .roundCorner(radius: 2, borderWidth: $0, borderColor: .pureRed) },
        Parameter("x of a watermark", -20...20) { .watermark(mark, offsetX: $0) },
        Parameter("y of a watermark", -20...20) { .watermark(mark, offsetY: $0) },
        Parameter("opacity of a watermark", 0...1) { .watermark(mark, opacity: $0) },
        Parameter("scale of a watermark", 0...20) { .watermark(mark, scale: $0) },
    ]

    private static let colors: [Parameter] = [
        Parameter("brightness", -1...1) { .adjust(brightness: $0) },
        Parameter("contrast", 0...100) { .adjust(contrast: $0) },
        Parameter("saturation", 0...100) { .adjust(saturation: $0) },
        Parameter("radius of a blur", 0...20) { .blur(radius: $0) },
        Parameter("radius of a blur in linear light", 0...20) { .blur(radius: $0, inLinearLight: true) },
        Parameter("amount of sharpening", 0...100) { .sharpen(amount: $0) },
        Parameter("radius of sharpening", 0...32) { .sharpen(radius: $0) },
    ]

    private static let picture = Bitmap.noise(8, 6)
    private static let mark = Bitmap.noise(3, 2, hasAlpha: true)

    /// Returns the result for the picture; `nil` if there is an error.
    private func result(of transformer: any ImageTransformer) -> Bitmap? { try? Self.picture.after(transformer) }

    /// Numbers at which results change: whole ones, halves and other fractions, and results of inexact arithmetic; and
    /// random ones.
    private static func numbers(in range: ClosedRange<Double>) -> [Double] {
        var random = SeededGenerator(seed: 1)
        var numbers: [Double] = [0, 0.01, 0.07 * 100, 0.29 * 100, 16 / 9, range.lowerBound, range.upperBound]
        numbers.append(.pi / 2 + 1e-6)
        for _ in 0..<30 {
            let numerator = Double(Int.random(in: -40...40, using: &random))
            numbers.append(numerator / Double(Int.random(in: 1...8, using: &random)))
            numbers.append(Double.random(in: range, using: &random))
        }
        return numbers.filter { range.contains($0) }
    }

    @Test(arguments: parameters)
    func equalIdentifiersMeanEqualResults(parameter: Parameter) {
        for number in Self.numbers(in: parameter.range) {
            let transformer = parameter.transformer(number)
            let identifier = transformer.identifier
            #expect(identifier.contains(number.sixDecimals), "\(number) has the identifier \(identifier)")
            let expected = result(of: transformer)
            let others = [
                Double(number.sixDecimals) ?? number, number.nextUp, number.nextDown, number + 1e-12, number - 1e-12,
                number + 3e-7, number - 3e-7,
            ]
            for other in others {
                let transformer = parameter.transformer(other)
                guard transformer.identifier == identifier else { continue }
                #expect(result(of: transformer) == expected, "\(other) instead of \(number) in \(identifier)")
            }
        }
    }

    @Test(arguments: parameters)
    func extremeNumbersHaveOneResult(parameter: Parameter) {
        for number in [-0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
            let transformers = [parameter.transformer(number), parameter.transformer(number)]
            #expect(transformers[0].identifier == transformers[1].identifier)
            #expect(result(of: transformers[0]) == result(of: transformers[1]))
        }
        #expect(parameter.transformer(-0.0).identifier == parameter.transformer(0).identifier)
    }

    @Test func decimalsBeyondTheIdentifierDoNotChangeTheSize() throws {
        let picture = Bitmap.noise(40, 8)
        #expect(try picture.after(.crop(x: 0, y: 0, width: 0.07 * 100, height: 8)).size == PixelSize(7, 8))
        let crop = try picture.after(.crop(x: 0.29 * 100, y: 0, width: 7, height: 8))
        #expect(crop == Bitmap(7, 8) { x, y in picture.color(x: x + 29, y: y)! })
        for ratio in [16 / 9.0, 1.777778] {
            #expect(try Self.picture.after(.crop(aspectRatio: ratio)).size == PixelSize(8, 4))
        }
        #expect(try picture.after(.pad(0.5.nextDown)).size == PixelSize(42, 10))
    }
}
