import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The images among the items of a file, and the images that each of them consists of.
struct ItemImages {
    /// The cost of decoding an image, together with all images that it consists of.
    struct Cost: Hashable {
        /// The pixels of all of these images, and the number of those that are not made from others.
        var pixelCount, codedImageCount: Int

        /// The number of levels of images within this one.
        var levelCount = 0
    }

    /// Consecutive bytes of an item.
    struct Extent {
        /// The way to find the bytes: 0 in the file, 1 in a box `idat`.
        let method: UInt64
        let offset, length: UInt64
    }

    /// The types of the items that libraries make from others.
    private static let derivedTypes: Set<String> = ["grid", "iovl", "iden", "tmap"]

    /// The number of levels of images within images from which on a file is refused: libheif recurses for each. A copy of a
    /// grid with a grid as its alpha channel has three.
    private static let levelLimit = 8

    /// The number of bytes of a grid or an overlay up to the end of the size of its canvas.
    private static let canvasByteCount = 18

    /// The types of each item; damaged files declare several.
    private var types: [UInt64: Set<String>] = [:]

    private var sizes: [Int: PixelSize] = [:]
    private var associations: [(item: UInt64, property: Int)] = []
    private var references: [(whole: UInt64, part: UInt64, isPartOfDerived: Bool)] = []
    private var locations: [(item: UInt64, extents: [Extent])] = []
    private var dataBoxes: [BoxCursor] = []

    /// Adds an item.
    mutating func add(item: UInt64, type: String) { types[item, default: []].insert(type) }

    /// Adds the size in the property at `index`, where damaged files declare several.
    mutating func add(_ size: PixelSize, at index: Int) {
        sizes[index] = [sizes[index], size].largest
    }

    /// Adds the association of an item with a property.
    mutating func add(property: Int, of item: UInt64) { associations.append((item, property)) }

    /// Adds a reference from one item to another.
    mutating func add(reference type: String, from item: UInt64, to other: UInt64) {
        switch type {
        case "dimg": references.append((item, other, true))
        // Libraries decode an alpha channel together with its image.
        case "auxl": references.append((other, item, false))
        default: break
        }
    }

    /// Adds the location of an item.
    mutating func add(_ extents: [Extent], of item: UInt64) {
        locations.append((item, Array(extents.filter { $0.length > 0 }.prefix(Self.canvasByteCount))))
    }

    /// Adds the body of a box `idat`.
    mutating func add(_ dataBox: BoxCursor) { dataBoxes.append(dataBox) }

    /// The number of payloads that are read to find canvases: an item in each of the boxes `idat`.
    var payloadCount: Int { locations.count * max(dataBoxes.count, 1) }

    /// Returns the canvas of each grid and overlay in `file`. Libraries allocate it, and not the size in the property of the
    /// item.
    func canvases(in file: BoxCursor) -> [UInt64: PixelSize] {
        var canvases: [UInt64: PixelSize] = [:]
        let dataBoxes: [BoxCursor?] = self.dataBoxes.isEmpty ? [nil] : self.dataBoxes.map(Optional.some)
        for (item, extents) in locations {
            for type in ["grid", "iovl"] where types[item]?.contains(type) == true {
                for dataBox in dataBoxes {
                    let payload = Self.payload(extents, file, dataBox)
                    canvases[item] = [canvases[item], Self.canvas(in: payload, type)].largest
                }
            }
        }
        return canvases
    }

    /// The size with the most pixels among those of the images that are not made from others; 0×0 if there is none.
    var largestCodedImage: PixelSize {
        associations.map { isCoded($0.item) ? sizes[$0.property] : nil }.largest ?? PixelSize(0, 0)
    }

    /// Returns the highest costs of an image, which counts a tile as often as it is referenced.
    func highestCost(_ canvases: [UInt64: PixelSize]) throws(ImageError) -> Cost {
        var pixelCounts = canvases.mapValues(\.pixelCount)
        for (item, property) in associations {
            pixelCounts[item] = max(pixelCounts[item] ?? 0, sizes[property]?.pixelCount ?? 0)
        }
        let edges = references.filter { !$0.isPartOfDerived || isDerived($0.whole) }
        var own: [UInt64: Cost] = [:]
        for item in Set(pixelCounts.keys).union(edges.flatMap { [$0.whole, $0.part] }) {
            own[item] = Cost(pixelCount: pixelCounts[item] ?? 0, codedImageCount: isCoded(item) ? 1 : 0)
        }
        // Each pass adds a level, and in images of themselves, the number of levels never stops growing.
        var costs = own
        for _ in 0..<Self.levelLimit {
            var next = own
            for edge in edges {
                if let part = costs[edge.part] { next[edge.whole]?.add(part) }
            }
            guard next != costs else {
                return Cost(
                    pixelCount: costs.values.map(\.pixelCount).max() ?? 0,
                    codedImageCount: costs.values.map(\.codedImageCount).max() ?? 0)
            }
            costs = next
        }
        throw ImageError(
            .corrupt, .decode,
            "an image in the file consists of others in \(Self.levelLimit) levels or more, or of itself")
    }

    private func isDerived(_ item: UInt64) -> Bool {
        Self.derivedTypes.contains { types[item]?.contains($0) == true }
    }

    private func isCoded(_ item: UInt64) -> Bool { types[item].map { !$0.isSubset(of: Self.derivedTypes) } ?? true }

    /// Returns the first bytes of an item.
    private static func payload(_ extents: [Extent], _ file: BoxCursor, _ dataBox: BoxCursor?) -> Data {
        extents.reduce(into: Data()) { payload, extent in
            let source: BoxCursor? = extent.method == 0 ? file : extent.method == 1 ? dataBox : nil
            let byteCount = min(extent.length, UInt64(canvasByteCount - payload.count))
            payload += source?.bytes(at: extent.offset, Int(byteCount)) ?? Data()
        }
    }

    private static func canvas(in payload: Data, _ type: String) -> PixelSize? {
        var payload = BoxCursor(payload)
        // The version; the numbers of rows and columns, or the colour of the background.
        guard payload.skip(1), let flags = payload.number(1), payload.skip(type == "grid" ? 2 : 8) else { return nil }
        let byteCount = flags & 1 == 0 ? 2 : 4
        guard let width = payload.number(byteCount), let height = payload.number(byteCount) else { return nil }
        return PixelSize(Int(width), Int(height))
    }
}

extension ItemImages.Cost {
    /// Adds the cost of a part, up to the largest number.
    fileprivate mutating func add(_ part: Self) {
        pixelCount = pixelCount.saturatingSum(part.pixelCount)
        codedImageCount = codedImageCount.saturatingSum(part.codedImageCount)
        levelCount = max(levelCount, part.levelCount + 1)
    }
}

extension Int {
    fileprivate func saturatingSum(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension Sequence<PixelSize?> {
    /// The size with the most pixels; `nil` if there is none.
    var largest: PixelSize? { compactMap { $0 }.max { $0.pixelCount < $1.pixelCount } }
}
