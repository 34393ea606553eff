import CSimilarity
import DarkroomPlatform

/// One scale of the comparison of two images, which passes their rows at half the size to the next one.
///
/// It keeps the rows that the blur needs and no more, about a kilobyte a column.
@safe final class Scale {
    private typealias Row = UnsafeMutablePointer<Float>

    private let width, height: Int
    private let next: Scale?
    private let memory: Row
    private let rowLength: Int
    private var rowCount = 0

    /// The sums of differences: six for each of three channels.
    private var sums = Array(repeating: 0.0, count: 18)

    /// The rows in memory: the light of the new row and of the one above it, for each of two images and three colours; two
    /// rows of products; the latest rows of pixels by image and channel; the latest blurred rows by channel and kind.
    private enum Place {
        static let light = 0
        static let lightAbove = 6
        static let products = 12
        static let pixels = 14
        static let pixelSlots = Scale.radius + 1
        static let blurred = pixels + 6 * pixelSlots
        static let blurredSlots = 2 * Scale.radius + 1
        static let count = blurred + 12 * blurredSlots
    }

    /// The number of rows and columns on either side that the blur takes into account.
    private static let radius = 4

    /// The number of pixels to whose multiple rows are padded, with as many zeros on either side.
    private static let blockWidth = 8

    /// Creates the first of `count` scales, for images of this size.
    init(width: Int, height: Int, count: Int = 6) {
        (self.width, self.height) = (width, height)
        rowLength = Self.rowLength(width)
        let total = Place.count * rowLength
        unsafe memory = Row.allocate(capacity: total)
        unsafe memory.initialize(repeating: 0, count: total)
        next = count > 1 ? Scale(width: (width + 1) / 2, height: (height + 1) / 2, count: count - 1) : nil
    }

    deinit { unsafe memory.deallocate() }

    private static func rowLength(_ width: Int) -> Int {
        (width + blockWidth - 1) / blockWidth * blockWidth + 2 * blockWidth
    }

    /// Returns the bytes of the rows of all scales of images of this width.
    static func byteCount(width: Int) -> Int {
        2 * Place.count * (rowLength(width) + 6 * blockWidth) * MemoryLayout<Float>.size
    }

    private var paddedWidth: Int { rowLength - 2 * Self.blockWidth }

    private func row(_ index: Int) -> Row { unsafe memory + index * rowLength + Self.blockWidth }

    /// The norms of this scale and of the smaller ones, for each of three channels: the means of three differences, and then
    /// their norms to the power of four, which count the worst places.
    var norms: [[[Double]]] {
        let means = sums.map { $0 / Double(width * height) }
        let own = (0..<3).map { channel in
            (0..<6).map { kind in
                let mean = means[channel * 6 + kind]
                return kind < 3 ? mean : mean.squareRoot().squareRoot()
            }
        }
        return [own] + (next?.norms ?? [])
    }

    /// Sets the light of the next row, of the first or second image: that of `pixels` over a grey background, an index of the
    /// table.
    func setLight(ofImage image: Int, to pixels: UnsafeRawBufferPointer, over background: Int) {
        guard let start = unsafe pixels.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        let place = Place.light + 3 * image
        unsafe LightTable.values.withUnsafeBufferPointer { table in
            unsafe darkroom_light(
                start, width, table.baseAddress, UInt32(background), row(place), row(place + 1), row(place + 2))
        }
    }

    /// Compares the row whose light was set.
    func addRow() {
        for image in 0..<2 { convert(image) }
        for channel in 0..<3 { blur(channel) }
        passOn()
        rowCount += 1
        compareRow(rowCount - 1 - Self.radius)
    }

    /// Compares the last rows.
    func finish() {
        if let next {
            if rowCount % 2 == 1 { addHalf(above: Place.lightAbove, below: Place.lightAbove, to: next) }
            next.finish()
        }
        for _ in 0..<Self.radius {
            for kind in 0..<12 { unsafe blurredRow(kind, rowCount).update(repeating: 0, count: paddedWidth) }
            rowCount += 1
            compareRow(rowCount - 1 - Self.radius)
        }
    }
}

// The steps of one row.
extension Scale {
    private func pixelRow(image: Int, channel: Int, _ y: Int) -> Row {
        unsafe row(Place.pixels + (image * 3 + channel) * Place.pixelSlots + y % Place.pixelSlots)
    }

    private func blurredRow(_ kind: Int, _ y: Int) -> Row {
        let slot = (y + Place.blurredSlots) % Place.blurredSlots
        return unsafe row(Place.blurred + kind * Place.blurredSlots + slot)
    }

    /// Converts the light of one image to colours. What is beyond the row remains zero.
    private func convert(_ image: Int) {
        let rows = unsafe (0..<3).map { unsafe row(Place.light + 3 * image + $0) }
        let colors = unsafe (0..<3).map { unsafe pixelRow(image: image, channel: $0, rowCount) }
        unsafe darkroom_colors_of_light(rows[0], rows[1], rows[2], colors[0], colors[1], colors[2], paddedWidth)
        for channel in 0..<3 {
            unsafe (colors[channel] + width).update(repeating: 0, count: paddedWidth - width)
        }
    }

    /// Blurs one channel of the new row in itself, with the squares and products of both images.
    private func blur(_ channel: Int) {
        let first = unsafe pixelRow(image: 0, channel: channel, rowCount)
        let second = unsafe pixelRow(image: 1, channel: channel, rowCount)
        let (squares, products) = unsafe (row(Place.products), row(Place.products + 1))
        unsafe darkroom_products(first, second, squares, products, paddedWidth)
        let rows = unsafe [first, second, squares, products]
        for kind in 0..<4 {
            unsafe darkroom_blur_across(rows[kind], blurredRow(channel * 4 + kind, rowCount), paddedWidth)
        }
    }

    /// Keeps the light of the new row for the one below, or passes both on at half the size.
    private func passOn() {
        guard let next else { return }
        // Halving an odd number of pixels repeats the last one.
        for plane in 0..<6 {
            let light = unsafe row(Place.light + plane)
            unsafe light[width] = light[width - 1]
        }
        guard rowCount % 2 == 0 else { return addHalf(above: Place.lightAbove, below: Place.light, to: next) }
        for plane in 0..<6 {
            unsafe row(Place.lightAbove + plane).update(from: row(Place.light + plane), count: width + 1)
        }
    }

    private func addHalf(above: Int, below: Int, to next: Scale) {
        for plane in 0..<6 {
            let target = unsafe next.row(Place.light + plane)
            unsafe darkroom_halve(row(above + plane), row(below + plane), target, next.paddedWidth)
        }
        next.addRow()
    }

    /// Adds the differences of row `y`, around which all rows are blurred in themselves.
    private func compareRow(_ y: Int) {
        guard y >= 0 else { return }
        for channel in 0..<3 {
            let blurred = unsafe (0..<4).flatMap { kind in
                unsafe (y - Self.radius...y + Self.radius).map { row in
                    unsafe UnsafePointer<Float>?(blurredRow(channel * 4 + kind, row))
                }
            }
            let first = unsafe pixelRow(image: 0, channel: channel, y)
            let second = unsafe pixelRow(image: 1, channel: channel, y)
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                guard let start = sums.baseAddress else { return }
                unsafe blurred.withUnsafeBufferPointer { blurred in
                    unsafe darkroom_add_differences(first, second, blurred.baseAddress, width, start + channel * 6)
                }
            }
        }
    }
}
