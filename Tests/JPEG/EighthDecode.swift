import DarkroomCore
@testable import DarkroomJPEG
import FoundationEssentials
import TestSupport
import Testing

/// The result of decoding a file at an eighth of its size: the rows, as they come from the reader.
struct EighthDecode: Equatable {
    private(set) var pixels: [UInt8] = []
    private(set) var rowCount = 0
    private(set) var error: String?
    private(set) var isDamaged = false
    private(set) var isTruncated = false

    /// Decodes `data` in calls of `portion` rows, and returns whether it was done without libjpeg as well.
    static func decode(
        _ data: Data, bypassing: Bool, portion: Int = 16, cancellation: CancellationFlag? = nil,
        afterPortion: () -> Void = {}
    ) -> (result: EighthDecode, bypassedLibjpeg: Bool) {
        var result = EighthDecode()
        var bypassedLibjpeg = false
        do {
            let info = try JPEGCoder().info(of: data)
            // Mutated headers may announce sizes that take long.
            guard info.storedSize.width * info.storedSize.height <= 1 << 20 else { return (result, false) }
            let request = DecodeRequest(data: data, info: info, cancellation: cancellation)
            try JPEGReader.withReader(of: data, for: request, bypassByteCount: bypassing ? 0 : .max) { reader in
                try reader.start(eighths: 1)
                defer { bypassedLibjpeg = reader.bypassesLibjpeg }
                try result.readRows(reader, portion: portion, afterPortion)
                result.isDamaged = reader.isDamaged
                result.isTruncated = reader.isTruncated
            }
        } catch {
            result.error = "\(error)"
        }
        return (result, bypassedLibjpeg)
    }

    private mutating func readRows(_ reader: JPEGReader, portion: Int, _ afterPortion: () -> Void) throws {
        let size = reader.size(eighths: 1)
        while rowCount < size.height {
            let limit = min(portion, size.height - rowCount)
            var rows = [UInt8](repeating: 0, count: limit * size.width * 4)
            var span = rows.mutableSpan
            let count = try reader.readRows(atMost: limit, into: &span, width: size.width)
            pixels += rows
            rowCount += count
            afterPortion()
        }
    }
}

/// Expects both decoders to agree on `data`, and returns whether it was decoded without libjpeg.
@discardableResult
func expectSameEighth(
    _ data: Data, portion: Int = 16, _ comment: Comment? = nil, _ location: SourceLocation = #_sourceLocation
) -> Bool {
    let (expected, _) = EighthDecode.decode(data, bypassing: false)
    let (actual, bypassedLibjpeg) = EighthDecode.decode(data, bypassing: true, portion: portion)
    // The rows before an error depend on the portions.
    let isSame = expected.error != nil ? actual.error == expected.error : actual == expected
    #expect(isSame, comment, sourceLocation: location)
    return bypassedLibjpeg
}
