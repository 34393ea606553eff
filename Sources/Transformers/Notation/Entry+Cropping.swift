import DarkroomCore

extension TransformNotation.Entry {
    static let crop = Self(
        "crop", summary: "Crops to a rectangle.",
        parameters: [
            .required("x", .number(-1e6...1e6, of: "pixels")), .required("y", .number(-1e6...1e6, of: "pixels")),
            .required("width", .number(0...1e6, of: "pixels")), .required("height", .number(0...1e6, of: "pixels")),
        ], example: "crop:10,20,300,200"
    ) { values, _ in
        Cropping(
            x: try values.number("x"), y: try values.number("y"), width: try values.number("width"),
            height: try values.number("height"))
    }

    static let aspectCrop = Self(
        "aspectCrop", summary: "Crops to the largest area with the given aspect ratio.",
        parameters: [.required("ratio", .size), .gravity("center")],
        example: "aspectCrop:16x9,top"
    ) { values, _ in
        let ratio = try values.size("ratio")
        return AspectCropping(width: ratio.width, height: ratio.height, gravity: try values.word("gravity"))
    }
    static let smartCrop = Self(
        "smartCrop", summary: "Resizes and crops to exactly the given size, keeping the most detailed part.",
        parameters: [
            .required("size", .size), .optional("by", .word(of: SmartCropping.Measure.self), default: "entropy"),
        ],
        example: "smartCrop:200x200,edges"
    ) { values, _ in
        let size = try values.size("size")
        return SmartCropping(width: size.width, height: size.height, by: try values.word("by"))
    }

    static let trim = Self(
        "trim", summary: "Removes a border of uniform colour.",
        parameters: [.optional("tolerance", .integer(0...255), default: "10")],
        example: "trim:20"
    ) { values, _ in
        Trimming(tolerance: try values.integer("tolerance"))
    }
}
