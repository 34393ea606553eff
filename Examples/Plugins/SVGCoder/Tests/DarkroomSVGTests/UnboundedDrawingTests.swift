import DarkroomCore
import DarkroomSVG
import DarkroomTestKit
import Foundation
import Testing

/// Drawings whose cost is unbounded are refused before librsvg parses them.
struct UnboundedDrawingTests {
    private static let rectangle = "<rect width='4' height='4' fill='red'/>"

    private static func document(_ content: String, after start: String = "") -> String {
        let namespaces = "xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'"
        return "\(start)<svg \(namespaces) width='4' height='4'>\(content)</svg>"
    }

    private static func styled(_ sheet: String) -> String { document("<style>\(sheet)</style>\(rectangle)") }

    /// Returns 2,000 elements, each of which refers to the one before. Without the scan, drawing them ends the process.
    private static func chain(to end: String, _ link: (Int) -> String) -> String {
        document((1...2000).map(link).joined() + end)
    }

    private static let chains = [
        chain(to: "<use x:href='#a2000'/>") { "<g id='a\($0)'><use x:href='#a\($0 - 1)'/></g>" },
        chain(to: "<use href='#a2000'/>") { "<symbol id='&#97;\($0)'><use href='#&#x0061;\($0 - 1)'/></symbol>" },
        chain(to: "<rect mask='url(#a2000)'/>") { "<mask id='a\($0)'><rect mask='url( #a\($0 - 1) )'/></mask>" },
        chain(to: "<rect fill='url(#a2000)'/>") {
            "<pattern id='a\($0)'><rect style='fill: URL(&quot;#a\($0 - 1)&quot;)'/></pattern>"
        },
        chain(to: "<path marker-end='url(#a2000)'/>") {
            "<marker id='a\($0)'><path marker-mid='url(#a\($0 - 1))'/></marker>"
        },
        // The rectangle in each pattern inherits the paint of the group around it.
        chain(to: "<rect fill='url(#a2000)'/>") {
            "<g fill='url(#a\($0 - 1))'><pattern id='a\($0)'><rect/></pattern></g>"
        },
        chain(to: "<rect class='a2000'/>") {
            "<style>g, .a\($0) { mask: url(#a\($0)) }</style><mask id='a\($0)'><rect class='b a\($0 - 1)'/></mask>"
        },
        // The last refers to the first again.
        chain(to: "<mask id='a0'><g mask='url(#a2000)'/></mask><rect mask='url(#a2000)'/>") {
            "<mask id='a\($0)'><g mask='url(#a\($0 - 1))'/></mask>"
        },
    ]

    @Test(arguments: chains.indices) func longChainsOfReferencesAreRefused(_ index: Int) {
        let error = #expect(throws: ImageError.self) { try SVGCoder().info(of: Data(Self.chains[index].utf8)) }
        #expect(error?.kind == .unsupported && error?.message.contains("deep") == true)
    }

    private static let nested: [(String, String)] = [
        ("deep", document(String(repeating: "<g>", count: 200))),
        ("deep", document(String(repeating: "<g><!--></g>-->", count: 200) + String(repeating: "</g>", count: 200))),
        ("refer to themselves", document("<g id='a'><use href='#a'/></g>")),
        ("refer to themselves", document("<mask id='a'><use id='b' href='#b'/></mask><g mask='url(#a)'/>")),
        ("brackets", styled(String(repeating: "a:not(", count: 5000))),
        ("selectors", styled(String(repeating: "rect + ", count: 5000) + "rect { fill: red }")),
        ("outside its document type", document("<!DOCTYPE svg [<!ENTITY a 'b'>]>")),
        ("images", document("<x:image/>")),
    ]

    private static let loaded: [(String, String)] = [
        ("includes", document("<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='data:,a' parse='xml'/>")),
        ("data URL", document("<use x:href='data:image/svg+xml;base64,PHN2Zy8+#a'/>")),
        ("data URL", document("<use href=' &#100;a&#10;TA:image/svg+xml;base64,PHN2Zy8+#a'/>")),
        ("data URL", document("<use href='&a;:,b#c'/>", after: "<!DOCTYPE svg [<!ENTITY a 'data'>]>")),
        ("data URL", document("<g filter='url(data:image/svg+xml;base64,PHN2Zy8+#a)'/>")),
        ("data URL", document("<g style='mask: url(&quot;&#x64;ata:image/svg+xml;base64,PHN2Zy8+#a&quot;)'/>")),
        ("escapes", document("<g filter='u\\72l(data:image/svg+xml;base64,PHN2Zy8+#a)'/>")),
        ("data URL", styled("g { fill: u<!-- -->rl(data:image/svg+xml;base64,PHN2Zy8+#a) }")),
        ("data URL", styled("<![CDATA[ a { b: '/*' } g { fill: url('data:image/svg+xml,#a') } a { b: '*/' } ]]>")),
        ("data URL", styled("@import 'data:text/css,rect{}';")),
        ("escapes", styled("@\\69mport 'data:text/css,rect{}';")),
        ("elements in a style sheet", styled("rect { fill: u<g/>rl(#a) }")),
        ("data URL", document("", after: "<?xml-stylesheet href='data:text/css,rect{}'?>")),
        ("data URL", document("", after: "<?xml-stylesheet href='&#100;ata:text/css,rect{}'?>")),
        ("UTF-8", document("", after: "<?xml version='1.0' encoding='UTF-7'?>")),
        ("UTF-8", document("+ADw-image/+AD4-", after: "<?xml version='1.0' encoding='utf-7'?><!--utf-8-->")),
        ("UTF-8", document("", after: "<?xml version='1.0'\(String(repeating: " ", count: 300))encoding='utf-7'?>")),
        ("UTF-8", "\u{1F}\u{8B}"),
    ]

    @Test(arguments: nested + loaded) func unboundedConstructsAreRefused(_ reason: String, _ text: String) {
        let error = #expect(throws: ImageError.self) { try SVGCoder().info(of: Data(text.utf8)) }
        #expect(error?.kind == .unsupported && error?.message.contains(reason) == true)
    }

    @Test(arguments: [
        "<use href='data:image/svg+xml;base64,PHN2Zy8+#a'/>",
        "<filter><feImage href='data:image/svg+xml;base64,PHN2Zy8+#a'/></filter>",
    ])
    func documentsAreNoImages(_ content: String) {
        let error = #expect(throws: ImageError.self) {
            try SVGCoder(allowsImages: true).info(of: Data(Self.document(content).utf8))
        }
        #expect(error?.kind == .unsupported)
    }

    private static let clipped = """
        <style>.a { fill: none } .b { clip-path: url(#c) } .d { fill: url("#e") }</style>
        <clipPath id='c'><rect class='a' width='4' height='4'/></clipPath><linearGradient id='e' x:href='#f'/>
        <linearGradient id='f'><stop class='a' stop-color='red'/></linearGradient>
        <g class='b'><g class='b'><rect class='d' width='4' height='4'/></g></g>
        """
    private static let animated = """
        <style>@import url("https://fonts.test/css?family=A,B"); @keyframes a { 50% { opacity: 0 } }
        @font-face { font-family: "\\5FAE"; src: url("data:;base64,\\\nAAAA") }
        /* { */ .a { fill: red } .c::before { content: "\\201C" }</style>
        <a x:href='#top' id='top'><rect class='b a' width='4' height='4'/></a>
        """
    private static let copied = """
        <defs><symbol id='a'><use href='#b'/></symbol><rect id='b' width='4' height='4'/></defs>
        <clipPath id='c'><use x:href='#b'/></clipPath><g clip-path='url(#c)' fill='red' id='d'><use href='#a'/></g>
        """

    private static let conditional = """
        <style>@media (min-width: 1px) { .b { clip-path: url(#c); fill: url(#p) } @page { .b { mask: url(#m) } } }
        @supports (fill: red) { rect { mask: url(#m) } } @font-face { font-family: a; src: url('#c') }
        .a:not(.b, .c) { clip-path: url(#c) } :hover { clip-path: url(#c) } [data-x='a, b'] { filter: url(#f) }</style>
        <clipPath id='c'><rect class='b' width='4' height='4'/></clipPath>
        <pattern id='p'><rect class='b' width='4' height='4'/></pattern><mask id='m'><rect class='b'/></mask>
        <filter id='f' data-x='a, b'><feFlood data-x='a, b' flood-color='red'/></filter>
        <g class='a'><rect class='b' data-x='a, b' width='4' height='4' fill='red'/></g>
        """
    /// librsvg draws no marker and no pattern within itself.
    private static let recurring = """
        <style>path { marker-end: url(#a); stroke: red; stroke-width: 8 } rect { fill: url(#p) }</style>
        <marker id='a'><path d='M0 0L4 4'/></marker><g fill='url(#q)'><defs>
        <pattern id='p' width='1' height='1'><rect width='4' height='4' style='fill: red'/></pattern>
        <pattern id='q' width='1' height='1'><circle r='9' fill='red'/></pattern></defs><rect width='4' height='4'/></g>
        <path d='M0 0L4 4'/>
        """
    private static let linked = """
        <a x:href='data:text/plain,a#b'><script href='data:,a'/><color-profile x:href='data:,a'/>\(rectangle)</a>
        """

    @Test(arguments: [
        document(clipped), document(animated), document(copied), document(conditional), document(recurring),
        document(linked),
        document(String(repeating: "<g>", count: 90) + rectangle + String(repeating: "</g>", count: 90)),
        document(rectangle, after: "\u{FEFF}<?xml version='1.0' encoding='UTF-8' standalone='no'?>\n"),
        document(rectangle, after: "<?xml-stylesheet href='style.css'?>"),
    ])
    func ordinaryDrawingsAreDrawn(_ text: String) throws {
        let bitmap = try CoderRegistry([SVGCoder()]).decode(Data(text.utf8)).bitmap
        #expect(bitmap.color(x: 2, y: 2)?.description == "#ffff0000")
    }

    @Test func namesInLatin1AreFound() throws {
        let pattern = "<pattern id='\u{E9}' width='1' height='1'>\(Self.rectangle)</pattern>"
        let content = pattern + "<rect width='4' height='4' fill='url(#&#233;)'/>"
        let text = Self.document(content, after: "<?xml version='1.0' encoding='ISO-8859-1'?>")
        let data = try #require(text.data(using: .isoLatin1))
        #expect(try CoderRegistry([SVGCoder()]).decode(data).bitmap.color(x: 2, y: 2)?.description == "#ffff0000")
    }
}
