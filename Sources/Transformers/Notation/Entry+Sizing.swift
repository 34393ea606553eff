import DarkroomCore

extension TransformNotation.Entry {
    static let resize = Self(
        "resize",
        summary: "Resizes to exactly the given size; 300x or x200 keeps the aspect ratio.",
        parameters: [
            .required("size", .bounds), .optional("mode", .word(of: Resizing.Mode.self), default: "stretch"),
            .gravity("center"),
            .optional("linearLight", .flag, default: "false"),
        ], example: "resize:300x200,cover,gravity=top"
    ) { values, _ in
        let (size, inLinearLight) = (try values.bounds("size"), try values.flag("linearLight"))
        guard let width = size.width else { return Resizing(height: size.height ?? 0, inLinearLight: inLinearLight) }
        guard let height = size.height else { return Resizing(width: width, inLinearLight: inLinearLight) }
        return Resizing(
            width: width, height: height, mode: try values.word("mode"), gravity: try values.word("gravity"),
            inLinearLight: inLinearLight)
    }

    static let thumbnail = Self(
        "thumbnail",
        summary: "Scales down to fit into the given size, to stretch to it, or to cover it.",
        parameters: [
            .required("size", .bounds), .optional("mode", .word(["fit", "stretch", "cover"]), default: "fit"),
            .gravity("center"), .optional("focus", .point), .optional("linearLight", .flag, default: "false"),
        ],
        example: "thumbnail:180x120,cover,gravity=top"
    ) { values, _ in
        let (size, inLinearLight) = (try values.bounds("size"), try values.flag("linearLight"))
        guard let width = size.width else {
            return ThumbnailTransformer(.fit(height: size.height ?? 0, inLinearLight: inLinearLight))
        }
        guard let height = size.height else {
            return ThumbnailTransformer(.fit(width: width, inLinearLight: inLinearLight))
        }
        let mode: Thumbnail.Mode =
            switch try values.words("mode") {
            case ["fit"]: .fit
            case ["cover"]: .cover
            default: .stretch
            }
        return ThumbnailTransformer(
            Thumbnail(
                width: width, height: height, mode: mode, focus: try focus(values), inLinearLight: inLinearLight))
    }

    /// Returns the focus of `values`; without one, that of its gravity.
    private static func focus(_ values: TransformNotation.Values) throws -> Thumbnail.Focus {
        guard let point = values.point("focus") else {
            return Thumbnail.Focus(try values.word("gravity", of: Gravity.self))
        }
        return Thumbnail.Focus(x: point.x, y: point.y)
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
    fileprivate static let gravity = word(
        of: Gravity.self,
        spellings: [
            "centre": "center", "north": "top", "south": "bottom", "west": "left", "east": "right",
            "northwest": "topLeft", "northeast": "topRight", "southwest": "bottomLeft", "southeast": "bottomRight",
        ])
    fileprivate static let padding = number(0...1e6, of: "pixels")
}
