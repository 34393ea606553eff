import DarkroomPlatform

/// An ICC profile of version 4 of a display: three primaries and one curve (ICC.1:2022).
struct MatrixProfile {
    private typealias Vector = SIMD3<Double>
    /// A matrix of three columns.
    private typealias Matrix = [Vector]

    /// The white of profiles, D50 (ICC.1, 7.2.16).
    private static let white = Vector(0.9642, 1, 0.8249)

    /// The matrix of Bradford's cone responses (ICC.1, annex E).
    private static let cones: Matrix = [
        Vector(0.8951, -0.7502, 0.0389), Vector(0.2664, 1.7135, -0.0685), Vector(-0.1614, 0.0367, 1.0296),
    ]

    private let calibration: Calibration
    private let name: String

    /// Creates the profile of `calibration`, whose curve must be that of sRGB.
    init(_ calibration: Calibration, name: String) {
        precondition(calibration.curve == .sRGB, "the curve is not that of sRGB")
        self.calibration = calibration
        self.name = name
    }

    /// The bytes of the profile.
    var data: Data {
        let adaptation = adaptation
        let primaries = Self.product(adaptation, primaries)
        let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        let curve = Self.tag("para", [0, 3, 0, 0] + parameters.flatMap(Self.fixed))
        let tags: [(names: [String], body: [UInt8])] = [
            (["desc"], Self.text(name)), (["cprt"], Self.text("CC0")), (["wtpt"], Self.point(Self.white)),
            (["chad"], Self.tag("sf32", (0..<3).flatMap { row in adaptation.flatMap { Self.fixed($0[row]) } })),
            (["rXYZ"], Self.point(primaries[0])), (["gXYZ"], Self.point(primaries[1])),
            (["bXYZ"], Self.point(primaries[2])), (["rTRC", "gTRC", "bTRC"], curve),
        ]
        var table = Self.long(tags.reduce(0) { $0 + $1.names.count })
        var (bodies, offset) = ([UInt8](), 132 + 12 * tags.reduce(0) { $0 + $1.names.count })
        for tag in tags {
            for name in tag.names { table += Array(name.utf8) + Self.long(offset) + Self.long(tag.body.count) }
            let padded = tag.body + [UInt8](repeating: 0, count: -tag.body.count & 3)
            bodies += padded
            offset += padded.count
        }
        return Data(header(byteCount: offset) + table + bodies)
    }

    private func header(byteCount: Int) -> [UInt8] {
        var header = Self.long(byteCount) + [0, 0, 0, 0, 4, 0x40, 0, 0] + Array("mntrRGB XYZ ".utf8)
        // The date, which has no effect.
        header += [2026, 1, 1, 0, 0, 0].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 28) + (0..<3).flatMap { Self.fixed(Self.white[$0]) }
        return header + [UInt8](repeating: 0, count: 128 - header.count)
    }

    /// The primaries as XYZ, whose sum is the white of the calibration.
    private var primaries: Matrix {
        let points = [calibration.red, calibration.green, calibration.blue].map(Self.light)
        let weights = Self.product(Self.inverse(points), [Self.light(calibration.white)])[0]
        return (0..<3).map { points[$0] * weights[$0] }
    }

    /// The matrix that adapts the white of the calibration to that of profiles, by Bradford's method.
    private var adaptation: Matrix {
        let source = Self.product(Self.cones, [Self.light(calibration.white)])[0]
        let ratio = Self.product(Self.cones, [Self.white])[0] / source
        let scale: Matrix = [Vector(ratio.x, 0, 0), Vector(0, ratio.y, 0), Vector(0, 0, ratio.z)]
        return Self.product(Self.inverse(Self.cones), Self.product(scale, Self.cones))
    }

    private static func light(_ point: Calibration.Chromaticity) -> Vector {
        Vector(point.x / point.y, 1, (1 - point.x - point.y) / point.y)
    }

    private static func product(_ first: Matrix, _ second: Matrix) -> Matrix {
        second.map { first[0] * $0.x + first[1] * $0.y + first[2] * $0.z }
    }

    private static func inverse(_ matrix: Matrix) -> Matrix {
        let rows = [cross(matrix[1], matrix[2]), cross(matrix[2], matrix[0]), cross(matrix[0], matrix[1])]
        let determinant = (matrix[0] * rows[0]).sum()
        return (0..<3).map { column in Vector(rows[0][column], rows[1][column], rows[2][column]) / determinant }
    }

    private static func cross(_ first: Vector, _ second: Vector) -> Vector {
        Vector(
            first.y * second.z - first.z * second.y, first.z * second.x - first.x * second.z,
            first.x * second.y - first.y * second.x)
    }

    private static func long(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The bytes of `s15Fixed16Number`.
    private static func fixed(_ number: Double) -> [UInt8] { long(Int(saturating: (number * 65_536).rounded())) }

    private static func tag(_ type: String, _ body: [UInt8]) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] + body }

    private static func point(_ point: Vector) -> [UInt8] { tag("XYZ ", (0..<3).flatMap { fixed(point[$0]) }) }

    /// A text in English, of ASCII.
    private static func text(_ text: String) -> [UInt8] {
        var body = long(1) + long(12) + Array("enUS".utf8)
        body += long(2 * text.utf8.count) + long(28)
        for unit in text.utf8 { body += [0, unit] }
        return tag("mluc", body)
    }
}

extension SIMD3<Double> {
    fileprivate func sum() -> Double { x + y + z }
}
