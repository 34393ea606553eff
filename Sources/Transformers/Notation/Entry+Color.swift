import DarkroomCore

extension TransformNotation.Entry {
    static let tint = Self(
        "tint", summary: "Blends a colour over the image.",
        parameters: [.required("color", .color), .optional("mode", .word(of: BlendMode.self), default: "sourceIn")],
        example: "tint:80ff0000,multiply"
    ) { values, _ in
        Tint(try values.requiredColor("color"), mode: try values.word("mode"))
    }

    static let adjust = Self(
        "adjust", summary: "Adds to the brightness, and multiplies contrast and saturation.",
        parameters: [
            .optional("brightness", .number(-1...1), default: "0"),
            .optional("contrast", .number(0...100), default: "1"),
            .optional("saturation", .number(0...100), default: "1"),
        ], example: "adjust:brightness=0.1,contrast=1.2"
    ) { values, _ in
        Adjustment(
            brightness: try values.number("brightness"), contrast: try values.number("contrast"),
            saturation: try values.number("saturation"))
    }

    static let greyscale = Self(
        "greyscale", aliases: ["grayscale"], summary: "Removes the colours.", example: "greyscale"
    ) { _, _ in
        Greyscale()
    }

    static let invert = Self("invert", summary: "Inverts the colours.", example: "invert") { _, _ in
        Filter.colorInvert
    }

    static let blur = Self(
        "blur", summary: "Blurs the image; with linearLight as a lens does.",
        parameters: [
            .required("radius", .number(0...16384, of: "pixels")), .optional("linearLight", .flag, default: "false"),
        ],
        example: "blur:5"
    ) { values, _ in
        Blur(radius: try values.number("radius"), inLinearLight: try values.flag("linearLight"))
    }

    static let sharpen = Self(
        "sharpen", summary: "Sharpens the image with an unsharp mask.",
        parameters: [
            .optional("amount", .number(0...100), default: "1"),
            .optional("radius", .number(0...32, of: "pixels"), default: "1"),
            .optional("threshold", .integer(0...255), default: "0"),
        ], example: "sharpen:1.5"
    ) { values, _ in
        Sharpening(
            amount: try values.number("amount"), radius: try values.number("radius"),
            threshold: try values.integer("threshold"))
    }
}
