import DarkroomCore

extension TransformNotation.Entry {
    static let flip = Self(
        "flip", "Mirrors the picture.",
        [
            .required(
                "way",
                .word(
                    ["horizontal", "vertical", "both"], spellings: ["h": "horizontal", "v": "vertical", "hv": "both"]))
        ], example: "flip:horizontal"
    ) { values, _ in
        let way = try values.words("way")
        return Flipping(horizontal: way != ["vertical"], vertical: way != ["horizontal"])
    }

    static let rotate = Self(
        "rotate", "Turns the picture counterclockwise, and cuts its corners if it need not fit.",
        [.required("angle", .number(-3600...3600, of: "degrees")), .optional("fit", .flag, "true")],
        example: "rotate:-7.5"
    ) { values, _ in
        // Dividing before multiplying keeps right angles exact.
        Rotation(radians: try values.number("angle") / 180 * .pi, fitsSize: try values.flag("fit"))
    }
}
