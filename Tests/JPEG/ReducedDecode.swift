import DarkroomCore
@testable import DarkroomJPEG
import FoundationEssentials
import TestSupport
import Testing

/// The result of decoding a file at a fraction of its size: the rows, as they come from the reader.
struct ReducedDecode: Equatable {
    private(set) var pixels: [UInt8] = []
    private(set) var rowCount = 0
    private(set) var error: String?
    private(set) var isDamaged = false
    private(set) var isTruncated = false

    /// How files are decoded.
    struct Way {
        /// The fraction of the size.
        var eighths: Int
        /// Whether libjpeg may be bypassed.
        var bypassing: Bool
        /// The number of rows in a call.
        var portion = 16
        var cancellation: CancellationFlag?
    }

    /// Decodes `data`, and returns whether it was done without libjpeg as well.
    static func decode(
        _ data: Data, _ way: Way, afterPortion: () -> Void = {}
    ) -> (result: ReducedDecode, bypassedLibjpeg: Bool) {
        var result = ReducedDecode()
        var bypassedLibjpeg = false
        do {
            let info = try JPEGCoder().info(of: data)
            // Mutated headers may announce sizes that take long.
            guard info.storedSize.width * info.storedSize.height <= 1 << 20 else { return (result, false) }
            let request = DecodeRequest(data: data, info: info, cancellation: way.cancellation)
            try JPEGReader.withReader(of: data, for: request, bypassByteCount: way.bypassing ? 0 : .max) { reader in
                try reader.start(eighths: way.eighths)
                defer { bypassedLibjpeg = reader.bypassesLibjpeg }
                try result.readRows(reader, way, afterPortion)
                result.isDamaged = reader.isDamaged
                result.isTruncated = reader.isTruncated
            }
        } catch {
            result.error = "\(error)"
        }
        return (result, bypassedLibjpeg)
    }

    private mutating func readRows(_ reader: JPEGReader, _ way: Way, _ afterPortion: () -> Void) throws {
        let size = reader.size(eighths: way.eighths)
        while rowCount < size.height {
            let limit = min(way.portion, size.height - rowCount)
            var rows = [UInt8](repeating: 0, count: limit * size.width * 4)
            var span = rows.mutableSpan
            let count = try reader.readRows(atMost: limit, into: &span, width: size.width)
            pixels += rows
            rowCount += count
            afterPortion()
        }
    }
}

/// Expects both decoders to agree on `data` at `eighths` of its size, and returns whether it was decoded without libjpeg.
@discardableResult
func expectSameRows(
    _ data: Data, eighths: Int, portion: Int = 16, _ comment: Comment? = nil,
    _ location: SourceLocation = #_sourceLocation
) -> Bool {
    let (expected, _) = ReducedDecode.decode(data, .init(eighths: eighths, bypassing: false))
    let (actual, bypassedLibjpeg) = ReducedDecode.decode(
        data, .init(eighths: eighths, bypassing: true, portion: portion))
    // The rows before an error depend on the portions.
    let isSame = expected.error != nil ? actual.error == expected.error : actual == expected
    #expect(isSame, comment, sourceLocation: location)
    return bypassedLibjpeg
}
