import DarkroomCore

extension TransformNotation.Entry {
    static let resize = Self(
        "resize", summary: "Resizes to exactly the given size.",
        parameters: [
            .required("size", .size), .optional("mode", .word(of: Resizing.Mode.self), default: "stretch"),
            .gravity("center"),
            .optional("linearLight", .flag, default: "false"),
        ], example: "resize:300x200,cover,gravity=top"
    ) { values, _ in
        let size = try values.size("size")
        return Resizing(
            width: size.width, height: size.height, mode: try values.word("mode"), gravity: try values.word("gravity"),
            inLinearLight: try values.flag("linearLight"))
    }

    static let thumbnail = Self(
        "thumbnail",
        summary: "Scales down to fit into the given size, to stretch to it, or to cover it.",
        parameters: [.required("size", .size), .optional("mode", .word(["fit", "stretch", "cover"]), default: "fit")],
        example: "thumbnail:180x120"
    ) { values, _ in
        let size = try values.size("size")
        let mode: Thumbnail.Mode =
            switch try values.words("mode") {
            case ["fit"]: .fit
            case ["cover"]: .cover
            default: .stretch
            }
        return ThumbnailTransformer(Thumbnail(width: size.width, height: size.height, mode: mode))
    }

    static let canvas = Self(
        "canvas", summary: "Places the image on a canvas without scaling it.",
        parameters: [.required("size", .size), .gravity("center"), .optional("background", .color)],
        example: "canvas:400x300,background=white"
    ) { values, _ in
        let size = try values.size("size")
        return Canvas(
            width: size.width, height: size.height, gravity: try values.word("gravity"),
            background: values.color("background"))
    }

    static let pad = Self(
        "pad", summary: "Adds padding on all sides, or on each side separately.",
        parameters: [
            .optional("all", .padding, default: "0"), .optional("top", .padding), .optional("left", .padding),
            .optional("bottom", .padding), .optional("right", .padding), .optional("background", .color),
        ], example: "pad:10,bottom=40,background=white"
    ) { values, _ in
        func side(_ name: String) throws -> Double { try values.number(values[name] == nil ? "all" : name) }
        return Padding(
            top: try side("top"), left: try side("left"), bottom: try side("bottom"), right: try side("right"),
            background: values.color("background"))
    }
}

extension TransformNotation.Parameter {
    /// The position of something that is placed, or the part of an image that is kept.
    static func gravity(_ gravity: String) -> Self { .optional("gravity", .gravity, default: gravity) }
}

extension TransformNotation.Parameter.Kind {
    fileprivate static let gravity = word(of: Gravity.self, spellings: ["centre": "center"])
    fileprivate static let padding = number(0...1e6, of: "pixels")
}
