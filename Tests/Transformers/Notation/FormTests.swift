import DarkroomCore
import DarkroomTransformers
import Testing

typealias Form = TransformNotation.Form

struct FormTests {
    private let form = Form(
        "drawLine", aliases: ["line"], summary: "Draws a line.",
        parameters: [
            .required("size", .size), .optional("width", .number(0...10, of: "pixels"), default: "1"),
            .optional("color", .color, default: "black"), .optional("dashed", .flag, default: "false"),
            .optional("end", .word(["butt", "roundCap", "square"], spellings: ["r": "roundCap"]), default: "butt"),
            .optional("corners", .words(["topLeft", "bottomRight", "both"]), default: "both"),
            .optional("count", .integer(0...9), default: "1"),
            .optional("label", .text),
        ], example: "drawLine:3x4")

    private func values(_ text: String) throws -> TransformNotation.Values {
        try form.values(of: try #require(try TransformNotation().steps(of: text).first))
    }

    @Test func missingParametersHaveTheirDefaults() throws {
        let values = try values("drawLine:3x4.5")
        #expect(try values.size("size") == (3, 4.5))
        #expect(try values.number("width") == 1)
        #expect(values.color("color") == Color(red: 0, green: 0, blue: 0))
        #expect(try values.flag("dashed") == false)
        #expect(try values.words("end") == ["butt"])
        #expect(values["label"] == nil && values["nonsense"] == nil)
        #expect(throws: ImageError.self) { try values.text("label") }
        #expect(throws: ImageError.self) { try values.number("size") }
    }

    @Test(arguments: [
        ("drawLine:3x4", "drawLine:3x4"), ("LINE:03x4.50,2", "drawLine:3x4.5,2"),
        ("draw-line:3x4,color=Red", "drawLine:3x4,color=ff0000"),
        ("draw_line:3X4,1.0,#80FF0000", "drawLine:3x4,color=80ff0000"), ("line:size=3x4,WIDTH=0", "drawLine:3x4,0"),
        ("line:3×4,end=round-cap,dashed=yes", "drawLine:3x4,dashed=true,end=roundCap"),
        ("line:3x4,end=R", "drawLine:3x4,end=roundCap"),
        ("line:3x4,1,black,false,butt,bottom-right.TOPLEFT", "drawLine:3x4,corners=topLeft.bottomRight"),
        ("line:3x4,label=a%2Bb", "drawLine:3x4,label=a%2Bb"),
        ("line:3x4,2,white,1,square,topleft,2,x", "drawLine:3x4,2,ffffff,true,square,topLeft,2,x"),
        ("line:0.0000014x4,-0", "drawLine:0.000001x4,0"), ("line:3x4,color=#F00", "drawLine:3x4,color=ff0000"),
        ("line:3x4,color=transparent", "drawLine:3x4,color=00000000"),
    ])
    func canonicalSpellingIsUnique(text: String, canonical: String) throws {
        #expect(try values(text).step.description == canonical)
        #expect(try values(canonical).step.description == canonical)
    }

    @Test(arguments: [
        ("line", "drawLine requires size, as in drawLine:3x4"),
        ("line:3", "size of drawLine must be WxH, not \"3\""),
        ("line:0x4", "size of drawLine must be WxH, not \"0x4\""),
        ("line:nanxinf", "size of drawLine must be WxH, not \"nanxinf\""),
        ("line:1000001x1", "size of drawLine is too large: at most 1000000 pixels wide and high, not \"1000001x1\""),
        (
            "line:30000000x3000000",
            "size of drawLine is too large: at most 1000000 pixels wide and high, not \"30000000x3000000\""
        ),
        ("line:3x4,11", "width of drawLine must be 0 to 10 pixels, not \"11\""),
        ("line:3x4,1e1", "width of drawLine must be 0 to 10 pixels, not \"1e1\""),
        ("line:3x4,0x1", "width of drawLine must be 0 to 10 pixels, not \"0x1\""),
        ("line:3x4,count=1.5", "count of drawLine must be an integer from 0 to 9, not \"1.5\""),
        ("line:3x4,color=reddish", "color of drawLine must be a colour, not \"reddish\""),
        ("line:3x4,color=ffff", "color of drawLine must be a colour, not \"ffff\""),
        ("line:3x4,dashed=2", "dashed of drawLine must be true or false, not \"2\""),
        ("line:3x4,end=sqare", "end of drawLine must be butt, roundCap or square, not \"sqare\"; did you mean square?"),
        ("line:3x4,end=none", "end of drawLine must be butt, roundCap or square, not \"none\""),
        (
            "line:3x4,corners=topLeft.x",
            "corners of drawLine must be topLeft, bottomRight or both, or several joined by ., not \"topLeft.x\""
        ),
        ("line:3x4,colour=red", "drawLine has no parameter \"colour\"; did you mean color?"),
        (
            "line:3x4,nonsense=red",
            "drawLine has no parameter \"nonsense\"; it takes size, width, color, dashed, end, corners, count and label"
        ),
        ("line:3x4,width=1,red", "drawLine has \"red\" after a named argument, so it must be named, too"),
        ("line:3x4,size=3x4", "drawLine has size twice"),
        (
            "line:3x4,2,red,1,butt,both,1,a,b",
            "drawLine does not take 9 arguments; it takes size, width, color, dashed, end, corners, count and label"
        ),
    ])
    func errorsNameTheProblemAndTheAllowedValues(text: String, message: String) {
        let error = #expect(throws: ImageError.self) { try values(text) }
        #expect(error?.message == message)
        #expect(error?.kind == .unsupported)
    }

    @Test func stepsAreFoundByName() {
        #expect(form.matches(Step("Draw-Line")) && form.matches(Step("LINE")))
        #expect(!form.matches(Step("drawLines")) && !form.matches(Step("")))
    }

    @Test func longValuesAreTruncatedInMessages() {
        let error = #expect(throws: ImageError.self) { try values("line:" + String(repeating: "9", count: 4000)) }
        #expect(error?.message == "size of drawLine must be WxH, not \"\(String(repeating: "9", count: 40))…\"")
    }
}
