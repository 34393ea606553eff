import CJXL
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The metadata in the boxes of a container (ISO/IEC 18181-2), which may be compressed.
struct JXLMetadata {
    private(set) var exif: Exif?
    private(set) var xmp: XMP?

    /// The start of a container; a file without one has no boxes.
    private static let signature: [UInt8] = [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

    /// Reads the boxes of `request.data`, each up to the first of its kind. Those that are broken or cut are ignored.
    init(_ request: InfoRequest) throws {
        guard request.data.starts(with: Self.signature) else { return }
        let decoding = try JXLDecoding(request.data, events: [JXL_DEC_BOX])
        unsafe JxlDecoderSetDecompressBoxes(decoding.decoder, JXL_TRUE)
        do {
            try read(decoding, request.checkCancellation)
        } catch let error as ImageError where [.corrupt, .incomplete].contains(error.kind) {}
    }

    private mutating func read(_ decoding: JXLDecoding, _ checkCancellation: () throws -> Void) throws {
        var box: JXLBox?
        while let event = try decoding.nextEvent(checkCancellation) {
            if event == JXL_DEC_BOX {
                box.map { add($0) }
                // The buffer of one box is released before that of the next is set.
                box = nil
                box = JXLBox(decoding)
            } else if event == JXL_DEC_BOX_NEED_MORE_OUTPUT {
                guard box?.grow() == true else { return }
            }
        }
        box.map { add($0) }
    }

    private mutating func add(_ box: JXLBox) {
        let bytes = box.bytes
        switch box.kind {
        case .exif where exif == nil && bytes.count > 4:
            // The first four bytes contain the offset of the TIFF structure.
            let offset = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            exif = Exif(bytes.dropFirst(4).dropFirst(offset))
        case .xmp where xmp == nil && !bytes.isEmpty: xmp = XMP(bytes)
        default: break
        }
    }
}

/// The contents of a box, which libjxl decompresses.
@safe private final class JXLBox {
    enum Kind: String {
        case exif = "Exif", xmp = "xml "
    }

    /// The longest contents that are kept.
    private static let byteLimit = 16 << 20

    let kind: Kind
    private let decoding: JXLDecoding
    private var buffer: UnsafeMutableBufferPointer<UInt8>

    /// Starts to read the current box; `nil` if its contents are of no interest.
    init?(_ decoding: JXLDecoding) {
        var type = [CChar](repeating: 0, count: 4)
        guard unsafe JxlDecoderGetBoxType(decoding.decoder, &type, JXL_TRUE) == JXL_DEC_SUCCESS,
            let kind = Kind(rawValue: String(decoding: type.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        else { return nil }
        (self.kind, self.decoding) = (kind, decoding)
        unsafe buffer = .allocate(capacity: 1 << 12)
        unsafe buffer.initialize(repeating: 0)
        _ = unsafe JxlDecoderSetBoxBuffer(decoding.decoder, buffer.baseAddress, buffer.count)
    }

    deinit {
        unsafe JxlDecoderReleaseBoxBuffer(decoding.decoder)
        unsafe buffer.deallocate()
    }

    /// The contents, once the box is read.
    var bytes: Data {
        let unused = unsafe JxlDecoderReleaseBoxBuffer(decoding.decoder)
        return unsafe Data(buffer.prefix(buffer.count - unused))
    }

    /// Makes room for more of the contents; returns `false` beyond the limit.
    func grow() -> Bool {
        let used = unsafe buffer.count - JxlDecoderReleaseBoxBuffer(decoding.decoder)
        guard unsafe buffer.count < Self.byteLimit else { return false }
        let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(capacity: buffer.count * 2)
        unsafe larger.initialize(repeating: 0)
        _ = unsafe larger.update(fromContentsOf: buffer.prefix(used))
        unsafe buffer.deallocate()
        unsafe buffer = larger
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: larger[used...])
        return unsafe JxlDecoderSetBoxBuffer(decoding.decoder, rest.baseAddress, rest.count) == JXL_DEC_SUCCESS
    }
}
