import DarkroomCore
import DarkroomPlatform

/// The format of a stored object: a magic number, the length of the header, the header in JSON, its HMAC if there is a
/// secret, and the bytes of the entry.
///
/// The header contains the key and the SHA-256 of the bytes, so an object of another key, a damaged or a truncated one
/// counts as a miss.
struct Envelope: Sendable {
    /// The reason why an object is rejected.
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private struct Head: Codable {
        var key: CacheKey
        var metadata: DataEntry.Metadata
        var sha256: String
        var byteCount: Int
        /// The time of the write, by the writer's clock.
        var writtenAt: Date
    }

    private static let magic = Array("DRK1".utf8)
    /// The number of bytes before the header.
    private static let prefixByteCount = 8
    private static let codeByteCount = 32
    /// The maximum size of the header, which contains the embedded metadata of the image.
    static let headByteLimit = 8 << 20
    /// The seconds by which dates are moved forward at most if there is a secret, which does not authenticate ages.
    private static let skewLimit = 900.0

    /// The fleet's secret, which authenticates headers; `nil` for none.
    var secret: Data?

    /// The time that a write may take, and the error of the engine's dates, together.
    var ageTolerance = Duration.zero

    /// Encodes `entry` as an object written at `now`.
    func object(_ entry: DataEntry, for key: CacheKey, at now: Date) throws -> Data {
        let head = try JSONEncoder().encode(
            Head(
                key: key, metadata: entry.metadata, sha256: entry.data.sha256.hexadecimal,
                byteCount: entry.data.count, writtenAt: now))
        guard head.count <= Self.headByteLimit else {
            throw ImageError(
                .overLimit, .cache, "the metadata of the entry has \(head.count) bytes, more than \(Self.headByteLimit)"
            )
        }
        var object = Data(Self.magic)
        object.reserveCapacity(Self.prefixByteCount + head.count + Self.codeByteCount + entry.data.count)
        unsafe withUnsafeBytes(of: UInt32(head.count).bigEndian) { unsafe object.append(contentsOf: $0) }
        object += head
        if let secret { object += Data(head.authenticationCode(secret: secret)) }
        object += entry.data
        return object
    }

    /// Decodes the entry in `object`, and converts its dates to this node's clock.
    ///
    /// - Throws: A `Mismatch` if the object has another key, is damaged, or is not authentic.
    func entry(in object: StoredObject, for key: CacheKey, at now: Date) throws -> DataEntry {
        let bytes = object.bytes
        guard bytes.count >= Self.prefixByteCount, bytes.prefix(4).elementsEqual(Self.magic) else {
            throw Mismatch(description: "it does not begin with a magic number")
        }
        let headByteCount = bytes.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let codeByteCount = secret == nil ? 0 : Self.codeByteCount
        guard headByteCount <= Self.headByteLimit,
            bytes.count >= Self.prefixByteCount + headByteCount + codeByteCount
        else { throw Mismatch(description: "its head is truncated") }
        let headBytes = Data(bytes.dropFirst(Self.prefixByteCount).prefix(headByteCount))
        let rest = bytes.dropFirst(Self.prefixByteCount + headByteCount)
        if let secret,
            !headBytes.authenticationCode(secret: secret).isEqualInConstantTime(to: rest.prefix(codeByteCount))
        {
            throw Mismatch(description: "it was not written with the secret of this fleet")
        }
        guard let head = try? JSONDecoder().decode(Head.self, from: headBytes), head.key == key else {
            throw Mismatch(description: "it is the object of another key")
        }
        let data = Data(rest.dropFirst(codeByteCount))
        guard data.count == head.byteCount, data.sha256.hexadecimal == head.sha256 else {
            throw Mismatch(description: "its bytes do not have the sum in its head")
        }
        return DataEntry(data, metadata: head.metadata.shifted(by: skew(of: head, age: object.age, at: now)))
    }

    /// Returns the seconds by which this node's clock is ahead of the writer's, or less: with dates that are too late, an
    /// object would outlive its removal.
    private func skew(of head: Head, age: Duration?, at now: Date) -> Double {
        guard let age else { return 0 }
        // The age by the engine's clock does not depend on the clock of the other node. But the difference includes the time of
        // the write, and engines count whole seconds.
        let difference = (now - age.inSeconds).timeIntervalSince(head.writtenAt)
        let tolerance = max(0, ageTolerance.inSeconds)
        let skew = (-1...tolerance).contains(difference) ? 0 : difference - tolerance
        return secret == nil ? skew : min(skew, Self.skewLimit)
    }
}

extension Data {
    /// The HMAC-SHA256 of these bytes (RFC 2104).
    fileprivate func authenticationCode(secret: Data) -> [UInt8] {
        let blockByteCount = 64
        var key = secret.count > blockByteCount ? secret.sha256 : [UInt8](secret)
        key += [UInt8](repeating: 0, count: blockByteCount - key.count)
        let inner = (Data(key.map { $0 ^ 0x36 }) + self).sha256
        return (Data(key.map { $0 ^ 0x5C }) + inner).sha256
    }
}

extension [UInt8] {
    fileprivate func isEqualInConstantTime(to other: Data) -> Bool {
        count == other.count && zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension DataEntry.Metadata {
    /// Returns the metadata with all dates shifted by `seconds`.
    fileprivate func shifted(by seconds: Double) -> DataEntry.Metadata {
        guard seconds != 0 else { return self }
        var metadata = self
        metadata.storedAt += seconds
        metadata.original?.freshness?.confirmedAt += seconds
        metadata.original?.freshness?.expires = original?.freshness?.expires.map { $0 + seconds }
        metadata.original?.freshness?.redirectsExpire = original?.freshness?.redirectsExpire.map { $0 + seconds }
        metadata.original?.sharing.expires = original?.sharing.expires.map { $0 + seconds }
        return metadata
    }
}
