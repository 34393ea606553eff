import ArgumentParser
import Console
import Darkroom

/// A property of `DecodeLimits` with its value, written `pixelCount=1000000`; a time in seconds, `workTime=2.5`.
struct Limit: ExpressibleByArgument {
    private enum Property: Sendable {
        case count(any WritableKeyPath<DecodeLimits, Int> & Sendable)
        case seconds(any WritableKeyPath<DecodeLimits, Duration> & Sendable)
    }

    private static let properties: KeyValuePairs<String, Property> = [
        "encodedByteCount": .count(\.encodedByteCount), "pixelCount": .count(\.pixelCount),
        "decodedByteCount": .count(\.decodedByteCount), "frameCount": .count(\.frameCount),
        "animationPixelCount": .count(\.animationPixelCount), "scanCount": .count(\.scanCount),
        "metadataByteCount": .count(\.metadataByteCount), "segmentCount": .count(\.segmentCount),
        "transformerCount": .count(\.transformerCount), "outputByteCount": .count(\.outputByteCount),
        "workTime": .seconds(\.workTime),
    ]

    private let change: @Sendable (inout DecodeLimits) -> Void

    static var names: [String] { properties.map(\.key) }

    init?(argument: String) {
        let parts = argument.fields(separatedBy: UInt8(ascii: "=")).map(String.init)
        guard parts.count == 2, let property = Self.properties.first(where: { $0.key == parts[0] })?.value,
            let change = Self.change(of: property, to: parts[1])
        else { return nil }
        self.change = change
    }

    /// Sets the property.
    func apply(to limits: inout DecodeLimits) { change(&limits) }

    private static func change(of property: Property, to text: String) -> (@Sendable (inout DecodeLimits) -> Void)? {
        switch property {
        case .count(let property):
            guard let value = Int(text), value >= 0 else { return nil }
            return { $0[keyPath: property] = value }
        case .seconds(let property):
            guard let value = Double(text), (0...1e9).contains(value) else { return nil }
            return { $0[keyPath: property] = .seconds(value) }
        }
    }
}
