import DarkroomCore

extension TransformNotation.Entry {
    static let resize = Self(
        "resize", "Makes the picture exactly so large.",
        [.required("size", .size), .optional("mode", .word(of: Resizing.Mode.self), "fill")],
        example: "resize:300x200,cover"
    ) { values, _ in
        let size = try values.size("size")
        return Resizing(width: size.width, height: size.height, mode: try values.word("mode"))
    }

    static let thumbnail = Self(
        "thumbnail", "Makes the picture no larger than so much.",
        [.required("size", .size), .optional("mode", .word(["fit", "fill"]), "fit")], example: "thumbnail:180x120"
    ) { values, _ in
        let size = try values.size("size")
        let fits = try values.words("mode") == ["fit"]
        return ThumbnailTransformer(Thumbnail(width: size.width, height: size.height, preservesAspectRatio: fits))
    }

    static let crop = Self(
        "crop", "Cuts out a rectangle.",
        [
            .required("x", .number(-1e6...1e6, of: "pixels")), .required("y", .number(-1e6...1e6, of: "pixels")),
            .required("width", .number(0...1e6, of: "pixels")), .required("height", .number(0...1e6, of: "pixels")),
        ], example: "crop:10,20,300,200"
    ) { values, _ in
        Cropping(
            x: try values.number("x"), y: try values.number("y"), width: try values.number("width"),
            height: try values.number("height"))
    }

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
}
