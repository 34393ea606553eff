import DarkroomCore
import DarkroomSVG
import DarkroomTestKit
import Foundation
import Testing

/// The memory that librsvg needs counts, and so does the time of the scan.
struct DrawingLimitTests {
    private static let rectangle = "<rect width='4' height='4'/>"

    private static func document(_ content: String, side: Int = 4) -> Data {
        Data("<svg xmlns='http://www.w3.org/2000/svg' width='\(side)' height='\(side)'>\(content)</svg>".utf8)
    }

    private static func nested(_ count: Int, _ attributes: String) -> String {
        String(repeating: "<g \(attributes)>", count: count) + rectangle + String(repeating: "</g>", count: count)
    }

    private static let masks =
        "<mask id='a'>\(rectangle)</mask><mask id='b'><g mask='url(#a)'>\(rectangle)</g></mask>"
        + nested(2, "mask='url(#b)'")

    private static let filter =
        "<filter id='a'><feFlood result='b'/><feFlood result='c'/><feFlood result='d'/></filter>"
        + nested(1, "filter='url(#a)'")

    private static func clip(_ attributes: String) -> String {
        "<clipPath id='c' \(attributes)>\(rectangle)</clipPath>"
    }

    private static let clipped = nested(9, "clip-path='url(#c)'")
    private static let boxed = clip("clipPathUnits='objectBoundingBox'")
    private static let conditional =
        "<style>@media (min-width: 1px) { g { opacity: .5 } } @supports (a: b) { g { opacity: .5 } }</style>"
    private static let excluding = "<style>.a:not(.b, .c) { opacity: .5 } .d[e='f, g'] { opacity: .5 }</style>"

    private static let layers: [(Int, String)] = [
        // Clip paths in default units are paths.
        (0, "\(clip(""))\(clipped)"),
        (0, "\(clip("clipPathUnits='userSpaceOnUse'"))\(clipped)"),
        (9, "\(clipped)\(boxed)"),
        (9, "<style>.a { clip-path: url(#c) }</style>\(nested(9, "class='a'"))\(boxed)"),
        (0, "\(conditional)\(nested(9, ""))"),
        (3, "\(excluding)\(nested(3, "class='a'"))"),
        (0, rectangle),
        (0, nested(9, "style='opacity: 1; mix-blend-mode: normal; filter: none'")),
        (1, String(repeating: nested(1, "opacity='.9'"), count: 9)),
        (90, nested(90, "opacity='.9'")),
        (5, nested(5, "style='isolation: isolate'")),
        (3, "<style>.a { opacity: .5 }</style>" + nested(3, "class='b a'")),
        // Two groups, and a surface for each mask and for the group in it.
        (5, masks),
        // The group, the filter, and three results.
        (10, filter),
        (4, "<g id='a'>\(nested(2, "opacity='.9'"))</g><g opacity='.9'><use opacity='.9' href='#a'/></g>"),
    ]

    @Test(arguments: layers) func layersCountAsMemory(_ layerCount: Int, _ content: String) throws {
        let data = Self.document(content)
        let info = try SVGCoder().info(of: data)
        func decode(_ byteCount: Int) throws {
            let context = ImageContext { $0.limits.decodedByteCount = byteCount }
            _ = try SVGCoder().decode(DecodeRequest(data: data, info: info, context: context))
        }
        // Besides the layers, there are the canvas and the resulting bitmap.
        let byteCount = 4 * 4 * 4 * (2 + layerCount)
        try decode(byteCount)
        let error = #expect(throws: ImageError.self) { try decode(byteCount - 1) }
        #expect(error?.kind == .overLimit && error?.message.contains("decodedByteCount") == true)
    }

    @Test func smallFileWithLargeLayersIsRefused() {
        let context = ImageContext { $0.limits.decodedByteCount = 64 << 20 }
        let data = Self.document(Self.nested(90, "opacity='.9'"), side: 1000)
        let error = #expect(throws: ImageError.self) {
            try CoderRegistry([SVGCoder()]).decode(data, context: context)
        }
        #expect(error?.kind == .overLimit)
    }

    private static let references = "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>" + String(repeating: "&", count: 20 << 20)
    private static let tags = "<svg>" + String(repeating: "<a/>", count: 5 << 20)

    // Without a check of the time in the style sheet, its end is refused.
    private static let sheet: String =
        "<svg><style>a{" + String(repeating: "b:c;", count: 4 << 20) + "}@import 'data:text/css,a{}';</style></svg>"
    private static let scans = [references, tags, sheet]

    @Test(arguments: scans.indices) func scanEndsWhenItsTimeIsOver(_ index: Int) {
        var limits = DecodeLimits()
        limits.workTime = .milliseconds(100)
        let request = InfoRequest(data: Data(Self.scans[index].utf8), limits: limits)
        let error = #expect(throws: ImageError.self) { try SVGCoder().info(of: request) }
        #expect(error?.kind == .overLimit && error?.message.contains("workTime") == true)
    }

    private static func repeated(_ text: String, _ count: Int = 65_537) -> String {
        String(repeating: text, count: count)
    }

    private static let parts: [String] = [
        "<g\(repeated(" a=''"))/>",
        "<g class='\(repeated("a "))'/>",
        "<style>\(repeated("a,"))b { opacity: 0 }</style>",
        "<style>\(repeated("a { opacity: 0 }"))</style>",
        repeated("<style>\(repeated("a,", 9999))a { opacity: 0 }</style>", 7),
        "<g style='mask: \(repeated("url(#a)"))'/>",
    ]

    @Test(arguments: parts.indices) func moreSmallPartsThanAllowedAreRefused(_ index: Int) {
        let error = #expect(throws: ImageError.self) { try SVGCoder().info(of: Self.document(Self.parts[index])) }
        #expect(error?.kind == .unsupported && error?.message.contains("more than 65536") == true)
    }

    @Test func cancelledScanEnds() {
        let flag = CancellationFlag()
        let request = InfoRequest(data: Self.document(Self.rectangle), cancellation: flag)
        flag.set()
        let error = #expect(throws: ImageError.self) { try SVGCoder().info(of: request) }
        #expect(error?.kind == .cancelled)
    }
}
