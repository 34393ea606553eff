import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A pass over the boxes of a file that counts what libraries keep of them.
struct ItemScan {
    /// The types of boxes that contain others, and the number of bytes before these. libheif reads boxes of known types
    /// wherever they are, and so does this pass.
    private static let containers = [
        "meta": 4, "iinf": 6, "iprp": 0, "ipco": 0, "dinf": 0, "dref": 8, "moov": 0, "trak": 0, "mdia": 0, "minf": 0,
        "stbl": 0, "stsd": 8, "av01": 78,
    ]

    /// The number of associations with properties that an item may have on average.
    private static let associationsPerItem = 8

    /// The bytes that items may take in addition to twice those of the file: encoders store equal tiles once.
    private static let sharedByteCount = 1 << 20

    /// The largest size of an image so far.
    private(set) var largestImage = PixelSize(0, 0)

    /// Whether an item so far is compressed.
    private(set) var hasCompressedItems = false

    /// The size with the most pixels of the canvas of a grid or an overlay.
    private(set) var largestCanvas = PixelSize(0, 0)

    /// The highest costs of an image.
    private(set) var highestCost = ItemImages.Cost(pixelCount: 0, codedImageCount: 0)

    /// The images so far.
    var images = ItemImages()

    /// The size of the file, or of its start.
    let fileByteCount: Int

    private let limits: DecodeLimits
    private var counts: [String: Int] = [:]
    private var itemByteCount = 0
    private var associatedItemCount = 0
    private var configurationByteCount = 0

    /// Reads all boxes of `data`.
    init(_ data: Data, limits: DecodeLimits) throws(ImageError) {
        (self.limits, fileByteCount) = (limits, data.count)
        var pending = [(type: "file", boxes: BoxCursor(data))]
        while var container = pending.popLast() {
            var index = 0
            while let box = container.boxes.nextBox() {
                index += 1
                try count(1, "boxes in \(container.type)")
                try read(box, at: index)
                if let boxes = Self.boxes(in: box) { pending.append((box.type, boxes)) }
            }
        }
        // libheif copies the configuration of the decoder in front of the bytes of each item.
        try add(itemByteCount: associatedItemCount * configurationByteCount)
        try limits.check(segmentCount: images.payloadCount)
        let canvases = images.canvases(in: BoxCursor(data))
        largestCanvas = canvases.values.map(Optional.some).largest ?? largestCanvas
        largestImage = [largestImage, largestCanvas].largest ?? largestImage
        highestCost = try images.highestCost(canvases)
    }

    /// Counts `number` more of a kind.
    mutating func count(_ number: Int, _ kind: String) throws(ImageError) {
        counts[kind, default: 0] += number
        try limits.check(segmentCount: counts[kind, default: 0])
    }

    /// Counts bytes that a library may copy.
    mutating func add(itemByteCount byteCount: Int) throws(ImageError) {
        itemByteCount += byteCount
        guard itemByteCount <= 2 * fileByteCount + Self.sharedByteCount else {
            throw ImageError(
                .corrupt, .decode,
                "the items have \(itemByteCount) bytes or more together, and their file has only \(fileByteCount)")
        }
    }

    /// Returns the boxes in `box`; `nil` if its type contains none.
    private static func boxes(in box: Box) -> BoxCursor? {
        guard var byteCount = containers[box.type] else { return nil }
        var boxes = box.body
        // From version 1 on, the number of items has four bytes.
        if box.type == "iinf", let version = box.body.version, version > 0 { byteCount = 8 }
        return boxes.skip(byteCount) ? boxes : nil
    }

    /// Reads `box`, the box number `index` of those around it, from 1 on.
    private mutating func read(_ box: Box, at index: Int) throws(ImageError) {
        switch box.type {
        case "iloc": try readLocations(box.body)
        case "infe": readItem(box.body)
        case "iref": try readReferences(box.body)
        case "ipma": try readAssociations(box.body)
        case "ispe": readSize(box.body, at: index)
        case "idat": images.add(box.body)
        case "hvcC", "av1C":
            configurationByteCount = max(configurationByteCount, box.body.byteCount)
            // libheif stores each parameter set, which may have one byte, in an array of its own.
            try add(itemByteCount: 16 * box.body.byteCount)
        case "stsc":
            // libavif looks for each chunk in all entries. A chunk has at least one frame.
            var body = box.body
            guard body.skip(4), let entryCount = body.number(4) else { return }
            try limits.check(frameCount: Int(entryCount))
        default: break
        }
    }

    private mutating func readItem(_ body: BoxCursor) {
        var body = body
        guard let version = body.number(1), version >= 2, body.skip(3), let item = body.number(version == 2 ? 2 : 4),
            body.skip(2), let type = body.fourCharacters()
        else { return }
        images.add(item: item, type: type)
        guard type == "mime" else { return }
        // The name, the type of the content, and its encoding, each of which ends with a zero.
        let texts = body.rest.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
        if texts.count > 2, !texts[2].isEmpty { hasCompressedItems = true }
    }

    private mutating func readReferences(_ body: BoxCursor) throws(ImageError) {
        var body = body
        guard let version = body.number(1), body.skip(3) else { return }
        let idByteCount = version == 0 ? 2 : 4
        // Libraries ignore the sizes of references and read one behind the other.
        while let (type, _) = body.header(), let item = body.number(idByteCount), let idCount = body.number(2) {
            try count(1 + Int(idCount), "references")
            for _ in 0..<idCount {
                guard let other = body.number(idByteCount) else { return }
                images.add(reference: type, from: item, to: other)
            }
        }
    }

    private mutating func readAssociations(_ body: BoxCursor) throws(ImageError) {
        var body = body
        guard let version = body.number(1), let flags = body.number(3), let entryCount = body.number(4) else { return }
        try count(Int(entryCount), "items with associations")
        let (idByteCount, indexByteCount) = (version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
        var associationCount = 0
        for _ in 0..<entryCount {
            guard let item = body.number(idByteCount), let indexCount = body.number(1) else { break }
            associatedItemCount += 1
            associationCount += Int(indexCount)
            for _ in 0..<indexCount {
                guard let index = body.number(indexByteCount) else { break }
                // The highest bit tells whether the property is essential.
                images.add(property: Int(index) & (indexByteCount == 1 ? 0x7F : 0x7FFF), of: item)
            }
        }
        try count(associationCount / Self.associationsPerItem, "associations")
    }

    private mutating func readSize(_ body: BoxCursor, at index: Int) {
        var body = body
        guard body.skip(4), let width = body.number(4), let height = body.number(4) else { return }
        let size = PixelSize(Int(width), Int(height))
        images.add(size, at: index)
        if size.pixelCount > largestImage.pixelCount { largestImage = size }
    }
}
