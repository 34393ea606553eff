import Darkroom
import Testing

@testable import ThumbnailServer

/// The pixel limit applies to the result of every step, in every spelling.
struct SizeLimitTests {
    private static let limit = 250_000

    private func parser() throws -> OptionParser {
        var settings = ThumbnailSettings()
        settings.pixelLimit = Self.limit
        let watermark = Image(
            info: ImageInfo(format: .png, storedSize: PixelSize(4, 4)), bitmap: try bitmap(width: 4, height: 4))
        settings.watermarks = ["mark": try CoderRegistry([PNGCoder()]).encode(watermark, as: .png)]
        return try OptionParser(settings, coders: CoderRegistry([PNGCoder()]))
    }

    private func bitmap(width: Int, height: Int) throws -> Bitmap {
        try Bitmap(PixelSize(width, height), hasAlpha: false) { _ in }
    }

    private func transformers(_ text: String) throws -> [any ImageTransformer] {
        let options = try parser().options(in: text)
        return try parser().transformers(for: options, pixelRatio: options.pixelRatio, width: nil)
    }

    /// The forms that set the size of an image. Thumbnails are never larger than their source, and a ratio is not a
    /// size.
    private static let sizing = TransformNotation.entries.map(\.form).filter { form in
        !["thumbnail", "aspectCrop"].contains(form.name) && form.parameters.contains { $0.isSize }
    }

    /// Returns the size arguments of a form in all spellings.
    private static func spellings(of form: TransformNotation.Form, width: Int, height: Int) -> [String] {
        let values = ["x", "X", "×", "%78", "%C3%97"].flatMap {
            ["\(width)\($0)\(height)", "\(width).0\($0)0\(height)", "0\(width)\($0)\(height).000"]
        }
        let names = ["", "size=", "SIZE=", "s-i_ze="]
        var texts = values.flatMap { value in names.map { "\(form.name):\($0)\(value)" } }
        for parameter in form.parameters where !parameter.isRequired {
            guard let text = parameter.default ?? (parameter.name == "background" ? "white" : nil) else { continue }
            texts += values.map { "\(form.name.uppercased()):\(parameter.name)=\(text),size=\($0)" }
        }
        return texts
    }

    @Test(.bug(id: "Fix limits.answerPixels passed by other spellings of a size"))
    func noSpellingOfASizePassesTheLimit() throws {
        #expect(Self.sizing.map(\.name).sorted() == ["canvas", "resize", "smartCrop"])
        for text in Self.sizing.flatMap({ Self.spellings(of: $0, width: 501, height: 500) }) {
            let error = #expect(throws: ImageError.self, "\(text)") { try transformers(text) }
            #expect(error?.kind == .overLimit, "\(text)")
        }
        for text in Self.sizing.flatMap({ Self.spellings(of: $0, width: 500, height: 500) }) {
            #expect(throws: Never.self, "\(text)") { try transformers(text) }
        }
    }

    @Test(.bug(id: "Fix limits.answerPixels passed by other spellings of a size"), arguments: ["dpr:2+", "+dpr:2"])
    func dprMultipliesEverySpelling(dpr: String) throws {
        for text in Self.sizing.flatMap({ Self.spellings(of: $0, width: 251, height: 250) }) {
            let whole = dpr.utf8.first == UInt8(ascii: "d") ? dpr + text : text + dpr
            let error = #expect(throws: ImageError.self, "\(whole)") { try transformers(whole) }
            #expect(error?.kind == .overLimit, "\(whole)")
        }
        for text in Self.sizing.flatMap({ Self.spellings(of: $0, width: 250, height: 125) }) {
            let size = try #require(try transformers(text + "+dpr:2").first).largestSize(for: PixelSize(1, 1))
            #expect(size.pixelCount >= 500 * 250, "\(text)")
        }
    }

    @Test(arguments: ["pad:300", "pad:left=300000", "pad:0,top=500000,bottom=0", "pad:all=250", "canvas:1e5x9"])
    func paddingCountsTowardsTheLimit(_ text: String) { #expect(throws: ImageError.self) { try transformers(text) } }

    @Test(arguments: [
        "rotate:45", "rotate:angle=-30,fit=yes", "watermark:mark,scale=3", "pad:top=400", "smartCrop:400x1",
        "resize:450x350+rotate:45", "pad:200+pad:100",
    ])
    func growthIsCheckedBeforeAllocation(_ text: String) throws {
        var image = try bitmap(width: 450, height: 350)
        if text == "smartCrop:400x1" { image = try bitmap(width: 1, height: 700) }
        let request = TransformRequest()
        let error = #expect(throws: ImageError.self) {
            for transformer in try transformers(text) {
                let resolved = try transformer.resolved(forFirstFrame: image, request: request)
                image = try resolved.transform(image, for: request)
            }
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.stage == .transform)
    }

    @Test(arguments: ["thumbnail:400x300", "blur:1", "crop:0,0,10,10", "rotate:90", "trim", "aspectCrop:1x1"])
    func largeSourceMayBeScaledDown(_ text: String) throws {
        let image = try bitmap(width: 600, height: 500)
        for transformer in try transformers(text) {
            #expect(throws: Never.self) { try transformer.resolved(forFirstFrame: image, request: TransformRequest()) }
        }
    }

    @Test func numberOfStepsIsLimited() throws {
        var settings = ThumbnailSettings()
        settings.stepLimit = 3
        settings.presets = ["two": "flip:h+flip:v"]
        let parser = try OptionParser(settings, coders: CoderRegistry())
        func make(_ text: String) throws -> Int {
            try parser.transformers(for: try parser.options(in: text), pixelRatio: 1, width: nil).count
        }
        #expect(try make("flip:h+preset:two") == 3)
        #expect(throws: ImageError.self) { try make("preset:two+preset:two") }
        #expect(throws: ImageError.self) { try make("flip:h+flip:h+flip:h+flip:h") }
    }
}

extension TransformNotation.Parameter {
    fileprivate var isSize: Bool {
        switch kind {
        case .size, .bounds: true
        default: false
        }
    }
}
