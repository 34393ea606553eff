import Darkroom

extension Calibration {
    private static let knownPrimaries: KeyValuePairs<String, [Double]> = [
        "sRGB": [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06],
        "Display P3": [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
        "Adobe RGB": [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06],
        "BT.2020": [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
        "ProPhoto RGB": [0.3457, 0.3585, 0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001],
    ]

    /// The name of the colour space with these primaries and this white point, or else their coordinates.
    var primaries: String {
        let known = Self.knownPrimaries.first { _, known in
            zip(known, coordinates).allSatisfy { abs($0 - $1) < 0.002 }
        }
        guard let known else {
            let names = ["white", "red", "green", "blue"]
            return zip(names, [white, red, green, blue])
                .map { "\($0) \($1.x.asNumber),\($1.y.asNumber)" }.joined(separator: " ")
        }
        return known.key
    }

    /// A description such as `gamma 2.2, primaries of Adobe RGB`.
    var summary: String { "gamma \(exponent.asNumber), primaries of \(primaries)" }

    private var coordinates: [Double] { [white, red, green, blue].flatMap { [$0.x, $0.y] } }
}
