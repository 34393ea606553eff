import DarkroomCore
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

struct TransformNotationTests {
    private let notation = TransformNotation { name in
        guard name == "logo.png" else { throw ImageError(.noLoader, .load, "there is no picture \(name)") }
        return Bitmap(3, 2) { _, _ in .white }
    }

    private func identifiers(_ text: String) throws -> [String] {
        try notation.transformers(for: text).map(\.identifier)
    }

    @Test(arguments: TransformNotation.entries.map(\.form.name))
    func examplesHaveTheExpectedIdentifiers(name: String) throws {
        let form = try #require(TransformNotation.entries.first { $0.form.name == name }?.form)
        let expected = try #require(Self.identifiers[name], "The test does not know \(name).")
        #expect(try identifiers(form.example) == [expected])
        let canonical = try notation.canonical(form.example)
        #expect(try identifiers(canonical) == [expected])
        #expect(try notation.canonical(canonical) == canonical)
        #expect(canonical.hasPrefix(name))
    }

    /// The digest of the only overlay image.
    private static let digest = String(
        Watermark(Bitmap(3, 2) { _, _ in .white }).identifier.dropFirst("Watermark(".count).prefix { $0 != "," })

    private static let identifiers = [
        "resize": "Resizing({300.000000,200.000000},2,top)",
        "thumbnail": "Thumbnail({180.000000,120.000000},cover,{0.500000,0.000000})",
        "canvas": "Canvas({400.000000,300.000000},center,#ffffffff)",
        "pad": "Padding({10.000000,10.000000,40.000000,10.000000},#ffffffff)",
        "crop": "Cropping({10.000000,20.000000,300.000000,200.000000})",
        "aspectCrop": "AspectCropping(1.777778,top)", "flip": "Flipping(1,0)", "rotate": "Rotation(-0.130900,1)",
        "tint": "Tint(#80ff0000,1)", "adjust": "Adjustment(0.100000,1.200000,1.000000)", "greyscale": "Greyscale()",
        "invert": "Filter(CIColorInvert)", "blur": "Blur(5.000000)", "sharpen": "Sharpening(1.500000,1.000000,0)",
        "smartCrop": "SmartCropping({200.000000,200.000000},edges)", "trim": "Trimming(20)",
        "roundCorner": "RoundCorner(8.000000,3,0.000000,(null))",
        "watermark": "Watermark(\(digest),topRight,0.000000,0.000000,0.500000,(null))",
    ]

    @Test(arguments: [
        ("flip:h", "Flipping(1,0)"), ("flip:v", "Flipping(0,1)"),
        ("crop:0,0,50,50", "Cropping({0.000000,0.000000,50.000000,50.000000})"),
        ("resize:100x100", "Resizing({100.000000,100.000000},0)"),
        ("resize:100x100:cover", "Resizing({100.000000,100.000000},2)"),
        ("resize:100x100:fit", "Resizing({100.000000,100.000000},1)"),
    ])
    func legacySpellingsOfTheCommandLineStillWork(text: String, identifier: String) throws {
        #expect(try identifiers(text) == [identifier])
    }

    /// Every parameter once with a value that is not its default, so that a swapped or missing one is noticed.
    @Test(arguments: [
        ("thumbnail:3x2,stretch", "Thumbnail({3.000000,2.000000},0)"),
        ("thumbnail:3x2,cover", "Thumbnail({3.000000,2.000000},cover)"),
        ("thumbnail:3x2,cover,gravity=southwest", "Thumbnail({3.000000,2.000000},cover,{0.000000,1.000000})"),
        ("thumbnail:3x2,cover,focus=0.3x0.7", "Thumbnail({3.000000,2.000000},cover,{0.300000,0.700000})"),
        (
            "thumbnail:3x2,cover,focus=.3,.7,linearLight=yes",
            "Thumbnail({3.000000,2.000000},cover,{0.300000,0.700000},linear)"
        ),
        ("thumbnail:3x2,gravity=top,linearLight=yes", "Thumbnail({3.000000,2.000000},1,linear)"),
        ("thumbnail:3x", "Thumbnail({3.000000,2147483647.000000},1)"),
        ("thumbnail:x2,cover", "Thumbnail({2147483647.000000,2.000000},1)"),
        ("resize:3x", "Resizing({3.000000,auto},0)"), ("resize:x2,cover", "Resizing({auto,2.000000},0)"),
        ("resize:x2,linearLight=1", "Resizing({auto,2.000000},0,linear)"),
        ("canvas:3x2,bottom-right", "Canvas({3.000000,2.000000},bottomRight,(null))"),
        ("pad:left=1,right=2", "Padding({0.000000,1.000000,0.000000,2.000000},(null))"),
        ("pad:top=3,bottom=4", "Padding({3.000000,0.000000,4.000000,0.000000},(null))"),
        ("crop:-1.5,2,3,4", "Cropping({-1.500000,2.000000,3.000000,4.000000})"), ("flip:both", "Flipping(1,1)"),
        ("rotate:45,fit=no", "Rotation(0.785398,0)"), ("rotate:90", "Rotation(1.570796,1)"),
        ("tint:blue", "Tint(#ff0000ff,18)"), ("tint:0f0,Plus-Lighter", "Tint(#ff00ff00,27)"),
        ("adjust:saturation=0.5", "Adjustment(0.000000,1.000000,0.500000)"), ("GrayScale", "Greyscale()"),
        ("blur:2.5,linearLight=true", "Blur(2.500000,linear)"), ("sharpen", "Sharpening(1.000000,1.000000,0)"),
        ("trim", "Trimming(10)"), ("smartCrop:3x2", "SmartCropping({3.000000,2.000000},entropy)"),
        ("roundCorner:8", "RoundCorner(8.000000,\(UInt.max),0.000000,(null))"),
        ("roundCorner:8,bottom-right.bottomLeft,2,red", "RoundCorner(8.000000,12,2.000000,#ffff0000)"),
        (
            "roundCorner:8,topRight.all,border=1,borderColor=80ffffff",
            "RoundCorner(8.000000,\(UInt.max),1.000000,#80ffffff)"
        ),
        ("watermark:logo.png", "Watermark(\(digest),bottomRight,0.000000,0.000000,1.000000,(null))"),
        (
            "watermark:logo%2Epng,x=1,y=-2,scale=0.25",
            "Watermark(\(digest),bottomRight,1.000000,-2.000000,1.000000,0.250000)"
        ),
        ("sharpen:radius=2,threshold=3", "Sharpening(1.000000,2.000000,3)"),
    ])
    func parametersReachTheTransformer(text: String, identifier: String) throws {
        #expect(try identifiers(text) == [identifier])
    }

    @Test(arguments: [
        "resize:x", "resize:300", "resize:0x", "resize:x0", "resize:300xx", "resize:1000001x", "resize:ax",
        "resize:3xa",
        "canvas:300x", "smartCrop:x2", "aspectCrop:16x", "thumbnail:3x2,focus=0.5", "thumbnail:3x2,focus=0.5x1.1",
        "thumbnail:3x2,focus=x0.5", "thumbnail:3x2,focus=0.5,0.5,0.5", "resize:3x2,gravity=top,left",
    ])
    func incompleteSizesAndPointsAreRefused(text: String) {
        let error = #expect(throws: ImageError.self) { try notation.transformers(for: text) }
        #expect(error?.kind == .unsupported)
    }

    @Test func stepsAreAppliedInOrder() throws {
        #expect(
            try identifiers("flip:h+crop:0,0,5,5+FLIP:Vertical") == [
                "Flipping(1,0)", "Cropping({0.000000,0.000000,5.000000,5.000000})", "Flipping(0,1)",
            ])
        #expect(try notation.canonical("FLIP:h+resize:3x4:stretch") == "flip:horizontal+resize:3x4")
    }

    @Test func imagesAreResolvedByTheCaller() {
        let error = #expect(throws: ImageError.self) { try notation.transformers(for: "watermark:other.png") }
        #expect(error?.message == "there is no picture other.png")
        #expect(throws: ImageError.self) { try TransformNotation().transformers(for: "watermark:logo.png") }
    }

    @Test func unknownNamesGetASuggestion() {
        let error = #expect(throws: ImageError.self) { try notation.transformers(for: "flip:h+reszie:3x4") }
        #expect(error?.message == "there is no transform \"reszie\"; did you mean resize?")
        let other = #expect(throws: ImageError.self) { try notation.transformers(for: "explode") }
        #expect(other?.message.hasPrefix("there is no transform \"explode\"; there are ") == true)
        #expect(other?.message.contains("crop") == true)
    }

    @Test func customStepsAreSuggestedToo() {
        let quality = Form(
            "quality", summary: "How good it is.", parameters: [.required("value", .number(0...100))],
            example: "quality:80")
        let error = #expect(throws: ImageError.self) {
            try TransformNotation(others: [quality]).transformers(for: "qualty:80")
        }
        #expect(error?.message == "there is no transform \"qualty\"; did you mean quality?")
    }

    @Test func formsAreConsistent() throws {
        let forms = TransformNotation.entries.map(\.form)
        let names = forms.flatMap { [$0.name] + $0.aliases }.map(folded)
        #expect(Set(names).count == names.count)
        for form in forms {
            #expect(form.summary.hasSuffix(".") && form.summary.count <= 80)
            #expect(Set(form.parameters.map { folded($0.name) }).count == form.parameters.count)
            for parameter in form.parameters {
                guard case .word(let words, let spellings) = parameter.kind else { continue }
                #expect(Set(words.map(folded)).count == words.count)
                #expect(spellings.allSatisfy { words.contains($0.value) && $0.key == folded($0.key) })
            }
        }
    }

    /// The canonical spelling omits default values, so each must be the documented one.
    @Test(arguments: TransformNotation.entries.map(\.form.name))
    func documentedDefaultsAreCorrect(name: String) throws {
        let form = try #require(TransformNotation.entries.first { $0.form.name == name }?.form)
        let step = try #require(try notation.steps(of: notation.canonical(form.example)).first)
        let named = step.arguments.enumerated().map { $0.element.name ?? form.parameters[$0.offset].name }
        for parameter in form.parameters where !named.contains(parameter.name) {
            guard let value = parameter.default else { continue }
            var explicit = step
            explicit.arguments.append(Argument(value, name: parameter.name))
            #expect(try notation.canonical(explicit.description) == step.description)
            #expect(try notation.transformer(for: explicit).identifier == notation.transformer(for: step).identifier)
        }
    }

    /// Arguments in any order, letter case and spelling have one canonical spelling, which has the same result.
    @Test(arguments: TransformNotation.entries.map(\.form.name))
    func canonicalFormHasTheSameTransformer(name: String) throws {
        let form = try #require(TransformNotation.entries.first { $0.form.name == name }?.form)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            let text = RandomStep(form, &random).text
            let canonical = try notation.canonical(text)
            #expect(try notation.canonical(canonical) == canonical, "\(text)")
            #expect(try identifiers(canonical) == identifiers(text), "\(text)")
        }
    }

    private func folded(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
}
