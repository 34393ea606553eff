package import DarkroomPlatform

/// A key of an ``ImageContext`` that a coder reads, and whose value can be sent to another process that decodes or encodes.
///
/// A coder that reads keys of its own declares them as its ``ImageCoder/contextKeys``.
public protocol CoderContextKey: ImageContextKey where Value: Codable {}

extension CoderContextKey {
    /// Returns the encoded value; `nil` if it is not set in `context`.
    package static func encodedValue(in context: ImageContext) throws -> Data? {
        guard let value = context.value(of: Self.self) else { return nil }
        return try JSONEncoder().encode([value])
    }

    /// Sets the value that was encoded as `data`.
    package static func setValue(encodedAs data: Data, in context: inout ImageContext) throws {
        guard let value = try JSONDecoder().decode([Value].self, from: data).first else { return }
        context[Self.self] = value
    }
}
