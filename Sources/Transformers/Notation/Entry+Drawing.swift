import DarkroomCore

extension TransformNotation.Entry {
    static let roundCorner = Self(
        "roundCorner", summary: "Rounds the corners, and draws a border if width and colour are given.",
        parameters: [
            .required("radius", .number(0...1e6, of: "pixels")),
            .optional("corners", .words(cornerNames), default: "all"),
            .optional("border", .number(0...1e6, of: "pixels"), default: "0"), .optional("borderColor", .color),
        ], example: "roundCorner:8,topLeft.topRight"
    ) { values, _ in
        RoundCorner(
            radius: try values.number("radius"), corners: try corners(values.words("corners")),
            borderWidth: try values.number("border"), borderColor: values.color("borderColor"))
    }

    private static let cornerNames = ["all", "topLeft", "topRight", "bottomLeft", "bottomRight"]

    private static func corners(_ names: [String]) -> RoundCorner.Corners {
        guard !names.contains("all") else { return .all }
        let corners: [RoundCorner.Corners] = [.topLeft, .topRight, .bottomLeft, .bottomRight]
        return RoundCorner.Corners(zip(cornerNames.dropFirst(), corners).filter { names.contains($0.0) }.map(\.1))
    }

    static let watermark = Self(
        "watermark", summary: "Draws another image on top; scale is its share of the width.",
        parameters: [
            .required("image", .text), .gravity("bottomRight"),
            .optional("x", .number(-1e6...1e6, of: "pixels"), default: "0"),
            .optional("y", .number(-1e6...1e6, of: "pixels"), default: "0"),
            .optional("opacity", .number(0...1), default: "1"),
            .optional("scale", .number(0.001...100)),
        ], example: "watermark:logo.png,topRight,opacity=0.5"
    ) { values, images in
        Watermark(
            try images(try values.text("image")), gravity: try values.word("gravity"),
            offsetX: try values.number("x"), offsetY: try values.number("y"), opacity: try values.number("opacity"),
            scale: values["scale"] == nil ? nil : try values.number("scale"))
    }
}
