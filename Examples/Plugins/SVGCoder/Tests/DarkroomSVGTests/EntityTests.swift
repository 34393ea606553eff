import DarkroomCore
import DarkroomSVG
import DarkroomTestKit
import Foundation
import Testing

struct EntityTests {
    private let registry = CoderRegistry([SVGCoder()])
    private static let drawing = document(
        "", "<rect id='a' width='3' height='2' fill='#336699'/><circle cx='5' cy='5' r='2' style='fill:red'/>")

    private static func document(_ declarations: String, _ content: String, root: String = "svg") -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- Made by an editor: <!DOCTYPE svg [ -->
        \(declarations.isEmpty ? "" : "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\" [\(declarations)]>")
        <\(root) xmlns="http://www.w3.org/2000/svg" width="8" height="8">\(content)</\(root)>
        """
    }

    @Test(arguments: [
        document(
            "<!ENTITY fill '#336699'>\n<!ENTITY kind \"circle\">",
            "<rect id='a' width='3' height='2' fill='&fill;'/><circle cx='5' cy='5' r='2' style='fill:red'/>"),
        document(
            "<!ENTITY both '&one;&two;'><!ENTITY one '<rect width=\"3\" height=\"2\" fill=\"&c;\"/>'>"
                + "<!ENTITY two \"<circle cx='5' cy='5' r='2' style='fill:red'/>\"><!ENTITY c '#336699'>",
            "&both;"),
        document(
            "<!-- <!ENTITY a 'b'> ]> --><!ELEMENT a (#PCDATA)><!ATTLIST svg a CDATA #IMPLIED><?a ]>?>"
                + "<!ENTITY fill '#336699'><!ENTITY fill 'red'><!ENTITY amp '&#38;#38;'>",
            "<!-- &fill; --><title>&amp;&lt;</title><rect width='3' height='2' fill='&fill;'/>"
                + "<circle cx='5' cy='5' r='2' style='fill:red'/>"),
        document(
            "<!ENTITY quote '\"'>",
            "<rect id=\"&quote; fill=&quote;\" width='3' height='2' fill='#336699'/>"
                + "<circle cx='5' cy='5' r='2' style='fill:red'/>"),
        document(
            "<!ENTITY file SYSTEM 'file:///etc/passwd'>",
            "<rect id='a' width='3' height='2' fill='#336699'/>&file;<circle cx='5' cy='5' r='2' style='fill:red'/>"),
    ])
    func drawingWithEntitiesLooksLikeOneWithout(_ text: String) throws {
        let expected = try registry.decode(Data(Self.drawing.utf8)).bitmap
        #expect(try registry.decode(Data(text.utf8)).bitmap.largestVisibleDifference(to: expected) == 0)
    }

    /// Illustrator declares the namespaces.
    @Test func namespacesCanBeEntities() throws {
        let text = """
            <!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY ns_x "http://ns.test/a">]>
            <svg xmlns="&ns_svg;" xmlns:x="&ns_x;" width="8" height="4"><x:a/><rect width="8" height="4"/></svg>
            """
        let bitmap = try registry.decode(Data(text.utf8)).bitmap
        #expect(bitmap.size == PixelSize(8, 4) && bitmap.color(x: 7, y: 3)?.description == "#ff000000")
    }

    @Test(arguments: [
        ("images", document("<!ENTITY a '<image/>'>", "&a;")),
        ("images", document("<!ENTITY a '<&b;/>'><!ENTITY b 'image'>", "&a;")),
        (
            "grows",
            document("<!ENTITY a '\(String(repeating: "x", count: 1000))'>", String(repeating: "&a;", count: 2000))
        ),
        (
            "grows",
            document(
                "<!ENTITY a '\(String(repeating: "x", count: 1000))'>",
                "<a b='\(String(repeating: "&a;", count: 2000))'/>")
        ),
        ("grows", document(laughs, "&l7;")),
        ("nests", document("<!ENTITY a '&b;'><!ENTITY b '&a;'>", "&a;")),
        ("declares more", document((0...1000).map { "<!ENTITY e\($0) ''>" }.joined(), "")),
        ("within its declarations", document("<!ENTITY % a 'b'>", "")),
        ("within its declarations", document("%a;", "")),
        ("within its document type", "<!DOCTYPE svg [<!ENTITY a 'b'> "),
        ("deep", document("<!ENTITY a '\(String(repeating: "<g>", count: 200))'>", "&a;")),
    ])
    func entitiesHideNothing(_ reason: String, _ text: String) throws {
        let error = #expect(throws: ImageError.self) { try SVGCoder().info(of: Data(text.utf8)) }
        #expect(error?.message.contains(reason) == true)
    }

    private static let laughs =
        "<!ENTITY l0 'haha'>"
        + (1..<8).map { level in
            "<!ENTITY l\(level) '\(String(repeating: "&l\(level - 1);", count: 10))'>"
        }.joined()

    @Test func mutatedEntitiesAreHandled() throws {
        let seed = Self.document(
            "<!ENTITY a '<rect width=\"3\" height=\"2\" fill=\"&b;\"/>'><!ENTITY b 'red'>", "&a;&b;")
        let tally = try CoderFuzzer(SVGCoder(), seeds: [Data(seed.utf8)]).run(iterations: 400)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }
}
