import DarkroomCore
import DarkroomPlatform

/// The colour space of a `cICP` chunk: code points of ITU-T H.273.
struct PNGCodePoints {
    /// The reason why a colour space is not supported.
    struct Unsupported: Error {
        let reason: String
    }

    private let primaries, transfer, matrix, range: Int

    /// Parses the four bytes of the chunk.
    init(_ body: Data) {
        let bytes = body.map(Int.init)
        (primaries, transfer, matrix, range) = (bytes[0], bytes[1], bytes[2], bytes[3])
    }

    /// The colour space; `nil` for sRGB.
    var calibration: Result<Calibration?, Unsupported> {
        // PNG stores RGB only.
        guard matrix == 0 else { return .failure(Unsupported(reason: "matrix \(matrix)")) }
        guard range == 1 else { return .failure(Unsupported(reason: "the narrow range")) }
        guard Calibration(primaries: primaries, transfer: 13) != nil else {
            return .failure(Unsupported(reason: "primaries \(primaries)"))
        }
        guard let calibration = Calibration(primaries: primaries, transfer: transfer) else {
            return .failure(Unsupported(reason: "transfer function \(transfer)\(note)"))
        }
        return .success(primaries == 1 && transfer == 13 ? nil : calibration)
    }

    private var note: String {
        switch transfer {
        case 16: " (PQ), which has a high dynamic range"
        case 18: " (HLG), which has a high dynamic range"
        default: ""
        }
    }
}
