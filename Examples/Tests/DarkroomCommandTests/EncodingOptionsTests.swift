import ArgumentParser
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

struct EncodingOptionsTests {
    @Test func encodersReceiveTheOptions() throws {
        var context = ImageContext()
        try EncodingOptions.parse([
            "--max-bytes", "500", "--max-size", "30x20", "--background", "black", "--keep-metadata", "--progressive",
            "--lossless", "--compression-level", "9", "--colors", "64", "--dithering", "50", "--frame-tolerance", "8",
        ]).apply(to: &context)
        #expect(context.encodedByteLimit == 500)
        #expect(context.encodedSizeLimit == PixelSize(30, 20))
        #expect(context.background == Color(red: 0, green: 0, blue: 0))
        #expect(context.keepsMetadata)
        #expect(context.writesProgressiveJPEG)
        #expect(context.writesLosslessWebP)
        #expect(context.pngCompressionLevel == 9)
        #expect(context.pngColorCount == 64 && context.gifColorCount == 64)
        #expect(context.pngDithering == 0.5 && context.gifDithering == 0.5)
        #expect(context.gifFrameTolerance == 8)
        let names = try EncodingOptions.parse([
            "--subsampling", "4:2:2", "--no-optimize", "--near-lossless", "60", "--sharp-yuv", "--keep",
            "all,-location,icc",
            "--quality", "70", "--max-bytes", "9000",
        ])
        names.apply(to: &context)
        #expect(context.jpegSubsampling == .chroma422 && context.optimizesJPEG == false)
        #expect(context.webPOptions.nearLosslessLevel == 60 && context.webPOptions.usesSharpYUV == true)
        #expect(context.keptMetadata == .all.subtracting(.location) && context.keepsProfile)
        #expect(context.quality == 0.7 && context.encodedByteLimit == 9000)
        #expect(names.names.count == 7)
    }

    @Test func profileIsKeptOnlyOnRequest() throws {
        var context = ImageContext { $0.keepsProfile = true }
        try EncodingOptions.parse(["--keep", "copyright"]).apply(to: &context)
        #expect(context.keptMetadata == .copyright && context.keepsProfile, "--keep-profile may have set it")
        for text in ["", "gps", "all,", "Copyright"] { #expect(KeptMetadata(argument: text) == nil) }
        #expect(KeptMetadata(argument: "none")?.kinds == [])
    }

    @Test func colorSpaceIsThatOfTheContext() throws {
        #expect(try VariantOptions.parse(["--color-space", "p3"]).context.colorSpace == .displayP3)
        #expect(try VariantOptions.parse([]).context.colorSpace == .sRGB)
        #expect(throws: (any Error).self) { try VariantOptions.parse(["--color-space", "cmyk"]) }
    }

    /// By every encoder, and not at a better quality than the requested one.
    @Test(arguments: ["jpeg", "webp"])
    func fileIsWithinTheLimit(_ format: String) async throws {
        try await withTemporaryDirectory { folder in
            func byteCount(_ options: [String]) async throws -> Int {
                let file = folder.appending(path: "a.out").path
                let arguments = [
                    "load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--format", format, "--output", file,
                ]
                #expect(try await darkroom(arguments + options).status == 0)
                return try Data(contentsOf: URL(filePath: file)).count
            }
            let wanted = try await byteCount(["--quality", "50"])
            #expect(try await byteCount(["--quality", "50", "--max-bytes", "1000000"]) == wanted)
            #expect(try await byteCount(["--quality", "50", "--max-bytes", "\(wanted - 50)"]) <= wanted - 50)
        }
    }

    @Test func qualitiesAreThoseOfTheScaleOrOfTheEncoder() throws {
        var context = ImageContext()
        try EncodingOptions.parse(["--quality", "75"]).apply(to: &context)
        #expect(context.quality == 0.75 && context.encoderQuality == nil)
        try EncodingOptions.parse(["--encoder-quality", "75"]).apply(to: &context)
        #expect(context.quality == nil && context.encoderQuality == 75)
    }

    @Test(arguments: [("auto", 80), ("auto:75", 75), ("auto:90.5", 90.5)])
    func automaticQualityIsAVisualTarget(text: String, score: Double) throws {
        var context = ImageContext()
        try EncodingOptions.parse(["--quality", text, "--max-bytes", "900"]).apply(to: &context)
        #expect(context.visualTarget == .score(score) && context.quality == nil && context.encodedByteLimit == 900)
    }

    @Test(arguments: ["auto:", "auto:101", "auto:nan", "auto:-1", "Auto", "auto:80:1", ":80", "101", "nan", ""])
    func invalidQualityIsRefused(text: String) {
        #expect(throws: (any Error).self) { try EncodingOptions.parse(["--quality", text]) }
    }

    @Test func automaticQualityIsReported() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.webp").path
            let arguments = [
                "load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--output", file, "--quality", "auto:70",
            ]
            let line = try #require(try await darkroom(arguments + ["--json"]).objects.first)
            #expect(try #require(line["score"] as? Double) >= 70)
            #expect((1...4).contains(try #require(line["encodes"] as? Int)))
            let quality = try #require(line["quality"] as? Int)
            #expect(try await darkroom(arguments).lines.contains { $0.contains("(quality \(quality), score ") })
        }
    }

    @Test func optionsHaveNoEffectByDefault() throws {
        let options = try EncodingOptions.parse([])
        var context = ImageContext()
        options.apply(to: &context)
        #expect(options.names.isEmpty)
        #expect(context.quality == nil && context.encoderQuality == nil && context.visualTarget == nil)
        #expect(context.encodedByteLimit == nil && context.encodedSizeLimit == nil)
        #expect(context.background == nil && !context.keepsMetadata)
        #expect(!context.writesProgressiveJPEG && !context.writesLosslessWebP)
        #expect(context.pngCompressionLevel == ImageContext().pngCompressionLevel)
        #expect(context.pngColorCount == nil && context.gifColorCount == ImageContext().gifColorCount)
        #expect(context.pngDithering == 1 && context.gifDithering == 1 && context.gifFrameTolerance == 0)
    }

    @Test(arguments: [
        ("white", "#ffffffff"), ("Black", "#ff000000"), ("#102030", "#ff102030"), ("aBcDeF", "#ffabcdef"),
        ("#FF102030", "#ff102030"),
    ])
    func colorsHaveNamesAndNumbers(text: String, color: String) {
        #expect(Background(argument: text)?.color.description == color)
    }

    @Test(arguments: ["", "#", "red", "#12", "#1234567", "#80102030", "+12345", "##102030", "١٢٣"])
    func invalidBackgroundIsRefused(text: String) {
        #expect(Background(argument: text) == nil)
    }

    @Test func everyLimitCanBeSet() throws {
        var limits = DecodeLimits()
        for name in Limit.names { try #require(Limit(argument: "\(name)=7")).apply(to: &limits) }
        let values = Mirror(reflecting: limits).children.map { ($0.label, "\($0.value)") }
        #expect(Set(values.map(\.0)) == Set(Limit.names))
        #expect(values.allSatisfy { ["7", "7.0 seconds"].contains($0.1) })
    }

    @Test(arguments: ["workTime=0.5", "workTime=0"])
    func secondsMayBeFractions(text: String) {
        #expect(Limit(argument: text) != nil)
    }

    @Test(arguments: [
        "workTime=inf", "workTime=-1", "workTime=nan", "pixelCount=0.5", "pixelCount", "pixelCount=-1",
    ])
    func invalidLimitIsRefused(text: String) {
        #expect(Limit(argument: text) == nil)
    }

    @Test func alphaIsBlendedWithTheBackgroundForJPEG() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.jpg").path
            let arguments = ["load", Fixture.path("png-rgba-8.png"), "--no-cache", "--output", file]
            var files: [Data] = []
            for options in [[], ["--background", "white"], ["--background", "102030"]] {
                #expect(try await darkroom(arguments + options).status == 0)
                files.append(try Data(contentsOf: URL(filePath: file)))
            }
            #expect(files[0] == files[1] && files[0] != files[2])
        }
    }

    /// Neither the program nor the library asks for more than peers do.
    @Test(arguments: ["jpeg", "webp"])
    func defaultQualityIsThatOfTheLibrary(_ format: String) async throws {
        try await withTemporaryDirectory { folder in
            func byteCount(_ options: [String]) async throws -> Int {
                let file = folder.appending(path: "a.out").path
                let arguments = [
                    "load", Fixture.path("png-rgb-8.png"), "--no-cache", "--format", format, "--output", file,
                ]
                #expect(try await darkroom(arguments + options).status == 0)
                return try Data(contentsOf: URL(filePath: file)).count
            }
            let quality = "\(Int(DefaultQuality.delivered * 100))"
            let byDefault = try await byteCount([])
            #expect(try await byteCount(["--quality", quality]) == byDefault)
            #expect(try await byteCount(["--quality", "100"]) > byDefault)
        }
    }

    /// Without an option there is nothing to do but to drop the metadata.
    @Test func unchangedPictureIsNotEncodedAgain() async throws {
        try await withTemporaryDirectory { folder in
            let source = Fixture.path("jpeg-420.jpg")
            let file = folder.appending(path: "a.jpg").path
            let arguments = ["load", source, "--no-cache", "--output", file]
            #expect(try await darkroom(arguments + ["--keep-metadata"]).status == 0)
            let original = try Data(contentsOf: URL(filePath: source))
            #expect(try Data(contentsOf: URL(filePath: file)) == original)
            #expect(try await darkroom(arguments).status == 0)
            #expect(try Data(contentsOf: URL(filePath: file)).count <= original.count)
        }
    }

    @Test(arguments: [("20x20", 20, 12), ("20x", 20, 12), ("x12", 20, 12), ("20", 20, 12)])
    func outputIsScaledDown(_ bounds: String, _ width: Int, _ height: Int) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.png").path
            let load = try await darkroom(
                "load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--output", file, "--max-size", bounds, "--json")
            for object in try await [
                #require(load.objects.first), #require(darkroom("info", file, "--json").objects.first),
            ] {
                #expect(object["width"] as? Int == width && object["height"] as? Int == height)
            }
        }
    }

    @Test(arguments: ["png", "gif"])
    func colorsAreReduced(to format: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.\(format)").path
            let arguments = ["load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--output", file]
            func byteCount(_ options: [String]) async throws -> Int {
                #expect(try await darkroom(arguments + options).status == 0)
                return try Data(contentsOf: URL(filePath: file)).count
            }
            let all = try await byteCount([])
            let few = try await byteCount(["--colors", "16"])
            #expect(few < all)
            #expect(try await byteCount(["--colors", "16", "--dithering", "0"]) < few)
            #expect(try await byteCount(["--colors", "16", "--max-bytes", "\(few * 3 / 4)"]) <= few * 3 / 4)
        }
    }

    @Test func filesAboveTheByteLimitAreNoted() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.png").path
            let source = Fixture.path("png-rgb-8.png")
            let arguments = ["load", source, "--no-cache", "--output", file, "--max-bytes", "20"]
            let notes = try await darkroom(arguments + ["--json"]).objects.first?["notes"] as? [String]
            #expect(notes?.count == 1)
            #expect(notes?.first?.hasSuffix("more than the limit of 20 set by --max-bytes") == true)
            let run = try await darkroom(arguments)
            #expect(run.status == 0)
            #expect(run.errors.contains("more than the limit of 20 set by --max-bytes"))
        }
    }
}
