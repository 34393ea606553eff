public import FoundationEssentials

/// Builds ICC profiles (ICC.1:2010), so that no third-party profile needs to be included.
public struct ProfileBuilder: Sendable {
    /// A three-component value of the profile connection space.
    public typealias Triple = (Double, Double, Double)

    /// Signatures of four characters: `mntr`, `prtr`, `scnr`; `RGB `, `GRAY`, `CMYK`; `XYZ `, `Lab `.
    private let deviceClass: String, space: String, connection: String
    private var tags: [(name: String, content: [UInt8])] = []

    /// Creates a profile without tags.
    public init(deviceClass: String = "mntr", space: String, connection: String = "XYZ ") {
        (self.deviceClass, self.space, self.connection) = (deviceClass, space, connection)
        add("wtpt", Self.xyz((0.9642, 1, 0.8249)))
    }

    /// Display P3, from its published primaries adapted to D50.
    public static let displayP3 = rgb(
        (0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407), curve: sRGBCurve)

    /// Adobe RGB (1998), by its published primaries adapted to D50.
    public static let adobeRGB = rgb(
        (0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457),
        curve: gamma(2.19921875))

    /// sRGB, by its published primaries adapted to D50.
    public static let sRGB = rgb(
        (0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410), curve: sRGBCurve)

    /// The transfer curve of sRGB, which Display P3 shares.
    public static let sRGBCurve =
        tag(
            "para", bigEndian(UInt16(3)) + [0, 0] + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed))

    /// Returns a profile with a matrix and one curve.
    public static func rgb(_ red: Triple, _ green: Triple, _ blue: Triple, curve: [UInt8]) -> ProfileBuilder {
        var builder = ProfileBuilder(space: "RGB ")
        for (name, primary) in [("r", red), ("g", green), ("b", blue)] {
            builder.add("\(name)XYZ", xyz(primary))
            builder.add("\(name)TRC", curve)
        }
        return builder
    }

    /// Returns a grey profile.
    public static func gray(curve: [UInt8]) -> ProfileBuilder {
        var builder = ProfileBuilder(space: "GRAY")
        builder.add("kTRC", curve)
        return builder
    }

    /// Returns a printer profile. `lab` returns the colour of every combination of full inks, as bytes of CIELAB.
    public static func cmyk(lab: (_ c: Bool, _ m: Bool, _ y: Bool, _ k: Bool) -> [UInt8]) -> ProfileBuilder {
        var builder = ProfileBuilder(deviceClass: "prtr", space: "CMYK", connection: "Lab ")
        builder.add("A2B0", table((0..<16).map { lab($0 & 8 != 0, $0 & 4 != 0, $0 & 2 != 0, $0 & 1 != 0) }, inputs: 4))
        return builder
    }

    /// Returns a display profile. `lab` returns the colour of every combination of full primaries, as bytes of CIELAB.
    public static func rgb(lab: (_ r: Bool, _ g: Bool, _ b: Bool) -> [UInt8]) -> ProfileBuilder {
        var builder = ProfileBuilder(space: "RGB ", connection: "Lab ")
        builder.add("A2B0", table((0..<8).map { lab($0 & 4 != 0, $0 & 2 != 0, $0 & 1 != 0) }, inputs: 3))
        return builder
    }

    /// Returns the content of a table tag with these nodes, two for each input.
    private static func table(_ nodes: [[UInt8]], inputs: UInt8) -> [UInt8] {
        var table: [UInt8] = [inputs, 3, 2, 0]
        // The identity matrix.
        for index in 0..<9 { table += fixed(index.isMultiple(of: 4) ? 1 : 0) }
        let ramp = (0...255).map { (tone: UInt8) in tone }
        for _ in 0..<inputs { table += ramp }
        for node in nodes { table += node }
        for _ in 0..<3 { table += ramp }
        return tag("mft1", table)
    }

    /// Adds a tag. A name may be added only once.
    public mutating func add(_ name: String, _ content: [UInt8]) { tags.append((name, content)) }

    /// The bytes of the profile.
    public var data: Data {
        var table = Self.bigEndian(UInt32(tags.count))
        var contents: [UInt8] = []
        let start = 128 + 4 + tags.count * 12
        for (name, content) in tags {
            table += Array(name.utf8) + Self.bigEndian(UInt32(start + contents.count))
            table += Self.bigEndian(UInt32(content.count))
            contents += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
        }
        return Data(header(byteCount: start + contents.count) + table + contents)
    }

    private func header(byteCount: Int) -> [UInt8] {
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        var bytes = Self.bigEndian(UInt32(byteCount))
        bytes += [0, 0, 0, 0, 4, 0x20, 0, 0]
        bytes += Array((deviceClass + space + connection).utf8)
        bytes += zeros(12) + Array("acsp".utf8) + zeros(28)
        for value in [0.9642, 1, 0.8249] { bytes += Self.fixed(value) }
        return bytes + zeros(128 - bytes.count)
    }

    /// Returns the content of a curve tag with a single exponent.
    public static func gamma(_ exponent: Double) -> [UInt8] {
        tag("curv", bigEndian(UInt32(1)) + bigEndian(UInt16((exponent * 256).rounded())))
    }

    /// Returns the content of a tag of the type `name`.
    public static func tag(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, 0, 0] + content
    }

    /// Returns the big-endian bytes of a number.
    public static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
    }

    private static func xyz(_ value: Triple) -> [UInt8] {
        tag("XYZ ", [value.0, value.1, value.2].flatMap(fixed))
    }

    private static func fixed(_ value: Double) -> [UInt8] { bigEndian(Int32((value * 65536).rounded())) }
}
