import DarkroomCore

extension TransformNotation.Entry {
    static let flip = Self(
        "flip", summary: "Mirrors the image.",
        parameters: [
            .required(
                "direction",
                .word(
                    ["horizontal", "vertical", "both"], spellings: ["h": "horizontal", "v": "vertical", "hv": "both"]))
        ], example: "flip:horizontal"
    ) { values, _ in
        let direction = try values.words("direction")
        return Flipping(horizontal: direction != ["vertical"], vertical: direction != ["horizontal"])
    }

    static let rotate = Self(
        "rotate", summary: "Rotates counterclockwise; without fit, the size stays and corners are cropped.",
        parameters: [
            .required("angle", .number(-3600...3600, of: "degrees")), .optional("fit", .flag, default: "true"),
        ],
        example: "rotate:-7.5"
    ) { values, _ in
        // Dividing before multiplying keeps right angles exact.
        Rotation(radians: try values.number("angle") / 180 * .pi, fitsSize: try values.flag("fit"))
    }
}
