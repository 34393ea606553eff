import Darkroom
import Testing

@testable import ThumbnailServer

struct QualityOptionTests {
    private let parser: OptionParser

    init() throws {
        var settings = ThumbnailSettings()
        settings.presets["small"] = "quality:auto,70"
        parser = try OptionParser(settings, coders: CoderRegistry())
    }

    @Test(
        arguments: [
            ("quality:75", 0.75, nil), ("quality:auto", nil, 80), ("quality:auto,75.5", nil, 75.5),
            ("quality:auto+quality:60", 0.6, nil), ("quality:60+quality:auto", nil, 80), ("preset:small", nil, 70),
            ("blur:2", nil, nil),
        ] as [(String, Double?, Double?)])
    func qualityIsANumberOrATarget(text: String, quality: Double?, score: Double?) throws {
        let options = try parser.options(in: text)
        #expect(options.quality == quality && options.visualTarget?.score == score)
    }

    @Test(arguments: ["0", "101", "75,80", "Auto", "auto,101", "auto,x", "auto,80,1", "", "nan"])
    func otherQualitiesAreRefused(text: String) {
        #expect(throws: ImageError.self) { try parser.options(in: "quality:\(text)") }
    }
}
