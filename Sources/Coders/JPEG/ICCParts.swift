import DarkroomPlatform

/// Collects a colour profile that is split across APP2 segments (ICC.1:2010, B.4): at most 255 parts, hence less than 17
/// MB.
struct ICCParts {
    private static let marker = Array("ICC_PROFILE\0".utf8)
    private var parts: [UInt8: Data] = [:]
    private var partCount: UInt8?
    private var isBroken = false

    /// Adds the body of an APP2 segment, unless it is not part of a profile.
    mutating func append(_ body: Data) {
        guard !isBroken, body.starts(with: Self.marker) else { return }
        var part = body.dropFirst(Self.marker.count)
        guard let number = part.popFirst(), let count = part.popFirst(), partCount ?? count == count else {
            isBroken = true
            return
        }
        partCount = count
        if parts.updateValue(part, forKey: number) != nil { isBroken = true }
    }

    /// Whether there are any parts, even if they are invalid.
    var hasParts: Bool { isBroken || !parts.isEmpty }

    /// The profile, or `nil` if there is none, or a part is missing or duplicate.
    var joined: Data? {
        guard !isBroken, let partCount, partCount > 0, parts.count == Int(partCount) else { return nil }
        var profile = Data()
        for number in 1...partCount {
            guard let part = parts[number] else { return nil }
            profile += part
        }
        return profile.isEmpty ? nil : profile
    }
}
