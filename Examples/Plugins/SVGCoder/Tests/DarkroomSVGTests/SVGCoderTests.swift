import DarkroomCore
import DarkroomPNG
import DarkroomSVG
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct SVGCoderTests {
    private let contract = CoderContract(SVGCoder())
    private let registry = CoderRegistry([SVGCoder()])

    @Test(arguments: try folder.fixtures(withExtension: "svg", references: PNGCoder()))
    func renderingsMatchCairoSVGs(_ fixture: FixtureFolder.Fixture) throws {
        // CairoSVG antialiases edges differently.
        #expect(try registry.decode(fixture.data).bitmap.meanDifference(to: fixture.expected) <= 2)
    }

    @Test(arguments: ["sized.svg", "view-box.svg", "percent.svg", "icon.svg"])
    func coderMeetsTheContract(_ name: String) throws {
        try contract.checkFile(try folder.data(of: name))
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func mutatedFilesAreHandled() throws {
        let seeds = try ["sized.svg", "percent.svg", "transparent.svg"].map { try folder.data(of: $0) }
        let tally = try CoderFuzzer(SVGCoder(), seeds: seeds).run(iterations: 400)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test(arguments: [
        ("sized", 40, 30), ("view-box", 40, 30), ("percent", 20, 15), ("without-size", 300, 150), ("icon", 24, 24),
    ])
    func sizeIsThatOfTheDrawingOrItsViewBox(name: String, width: Int, height: Int) throws {
        let info = try registry.info(of: try folder.data(of: name + ".svg"))
        #expect(info.storedSize == PixelSize(width, height))
        #expect(info.isScalable)
    }

    @Test func targetDeterminesThePixels() throws {
        let data = try folder.data(of: "icon.svg")
        let large = try registry.decode(data, context: ImageContext { $0.thumbnail = .fit(240, 240) }).bitmap
        #expect(large.size == PixelSize(240, 240))
        // The drawing was rendered, not scaled up: the edge is sharp.
        #expect(large.color(x: 39, y: 120)?.alpha == 0)
        #expect(large.color(x: 40, y: 120)?.alpha == 255)
        let wide = try registry.decode(data, context: ImageContext { $0.thumbnail = .stretch(240, 24) }).bitmap
        #expect(wide.size == PixelSize(240, 24))
        #expect(wide.color(x: 41, y: 12)?.alpha == 255)
    }

    @Test func targetBeyondTheLimitsIsRefused() throws {
        let data = try folder.data(of: "icon.svg")
        for side in [100_000.0, 1e18, .greatestFiniteMagnitude] {
            let error = #expect(throws: ImageError.self) {
                try registry.decode(data, context: ImageContext { $0.thumbnail = .fit(side, side) })
            }
            #expect(error?.kind == .overLimit)
        }
        let error = #expect(throws: ImageError.self) {
            try registry.decode(
                data,
                context: ImageContext {
                    $0.thumbnail = .fit(64, 64)
                    $0.limits.pixelCount = 64 * 63
                })
        }
        #expect(error?.message.contains("context.limits.pixelCount") == true)
    }

    @Test func eachColourHasItsOwnEntry() async throws {
        let cache = FakeImageCache()
        let data = try folder.data(of: "icon.svg")
        let manager = try ImageManager {
            $0.install(FakeLoader(data))
            $0.install(SVGCoder())
            $0.imageCache = cache
        }
        let url = URL(filePath: "/icon.svg")
        let red = ImageContext { $0.svgColor = Color(red: 255, green: 0, blue: 0) }
        let blue = ImageContext { $0.svgColor = Color(red: 0, green: 0, blue: 255) }
        for (context, color) in [(red, "#ffff0000"), (blue, "#ff0000ff"), (ImageContext(), "#ff000000")] {
            let image = try await manager.load(url, context: context).image
            #expect(image.bitmap.color(x: 5, y: 5)?.description == color)
        }
        #expect(
            cache.keys.map(\.variant).sorted { $0.description < $1.description } == [
                ["SVGColor(#ff0000ff)"], ["SVGColor(#ffff0000)"], [],
            ])
    }

    @Test func embeddedImagesMustBeAllowed() throws {
        let pixel = try folder.data(of: "sized.png").base64EncodedString()
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><image width="40" height="30" \
            href="data:image/png;base64,\(pixel)"/></svg>
            """
        #expect(throws: ImageError.self) { try registry.decode(Data(text.utf8)) }
        let allowing = CoderRegistry([SVGCoder(allowsImages: true)])
        let expected = try folder.fixture("sized.svg", references: PNGCoder()).expected
        #expect(try allowing.decode(Data(text.utf8)).bitmap.meanDifference(to: expected) <= 1)
    }

    @Test func referencedFilesAreNotRead() throws {
        let directory = try TemporaryDirectory()
        let picture = try directory.write(folder.data(of: "sized.png"), to: "sized.png")
        for address in [picture.absoluteString, picture.path()] {
            let text = """
                <svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><image width="40" height="30" \
                href="\(address)"/></svg>
                """
            let bitmap = try CoderRegistry([SVGCoder(allowsImages: true)]).decode(Data(text.utf8)).bitmap
            #expect(bitmap.color(x: 5, y: 3)?.alpha == 0)
        }
    }
}
