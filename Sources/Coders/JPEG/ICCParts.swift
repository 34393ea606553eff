#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Gathers a profile from the APP2 segments it is spread over (ICC.1:2010, B.4): at most 255, so less than 17 MB.
struct ICCParts {
    private static let marker = Array("ICC_PROFILE\0".utf8)
    private var parts: [UInt8: Data] = [:]
    private var partCount: UInt8?
    private var isBroken = false

    /// Takes the body of an APP2 segment; others than of a profile are ignored.
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

    /// Whether there are parts at all, be they broken.
    var hasParts: Bool { isBroken || !parts.isEmpty }

    /// The profile; `nil` when there is none, or a part is missing or there twice.
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
