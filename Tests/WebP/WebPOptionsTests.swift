import DarkroomCore
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPOptionsTests {
    typealias Change = @Sendable (inout WebPOptions) -> Void

    private let registry = CoderRegistry([WebPCoder()])

    private let picture = Bitmap(48, 40, hasAlpha: true) { x, y in
        Color(red: UInt8(x * 5), green: UInt8(y * 6), blue: UInt8((x * y) % 256), alpha: UInt8(50 + x * y % 200))
    }

    private func encode(_ change: Change, _ context: ImageContext = .init()) throws -> Data {
        var context = context
        change(&context.webPOptions)
        let image = Image(info: ImageInfo(format: .webp, storedSize: picture.size), bitmap: picture)
        return try registry.encode(image, as: .webp, context: context)
    }

    private static let wrong: [(String, Change)] = [
        ("method", { $0.method = 7 }), ("method", { $0.method = .min }), ("pass", { $0.pass = 0 }),
        ("pass", { $0.pass = 11 }), ("preprocessing", { $0.preprocessing = 8 }),
        ("threadLevel", { $0.threadLevel = 2 }), ("targetPSNR", { $0.targetPSNR = -1 }),
        ("targetPSNR", { $0.targetPSNR = .nan }), ("segments", { $0.segments = 0 }),
        ("segments", { $0.segments = 5 }), ("snsStrength", { $0.snsStrength = 101 }),
        ("filterStrength", { $0.filterStrength = -1 }), ("filterSharpness", { $0.filterSharpness = 8 }),
        ("filterType", { $0.filterType = 2 }), ("alphaFiltering", { $0.alphaFiltering = 3 }),
        ("alphaQuality", { $0.alphaQuality = 101 }), ("partitions", { $0.partitions = 4 }),
        ("partitionLimit", { $0.partitionLimit = .max }), ("nearLosslessLevel", { $0.nearLosslessLevel = 101 }),
        ("nearLosslessLevel", { $0.nearLosslessLevel = -1 }),
    ]

    @Test(arguments: wrong.indices)
    func valueOutOfRangeIsNamed(_ index: Int) throws {
        let (field, change) = Self.wrong[index]
        let error = #expect(throws: ImageError.self) { try encode(change) }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains(field) == true)
    }

    private static let distinguishing: [Change] = [
        { $0.method = 0 },
        {
            $0.pass = 10; $0.targetPSNR = 30
        }, { $0.preprocessing = 2 },
        { $0.segments = 1 }, { $0.snsStrength = 100 }, { $0.filterStrength = 0 }, { $0.filterSharpness = 7 },
        { $0.filterType = 0 }, { $0.choosesFilterStrength = true }, { $0.compressesAlpha = false },
        { $0.alphaFiltering = 0 },
        { $0.alphaQuality = 10 }, { $0.savesMemory = true }, { $0.usesSharpYUV = true }, { $0.isLossless = true },
        { $0.nearLosslessLevel = 60 },
    ]

    @Test(arguments: distinguishing.indices)
    func optionReachesTheFile(_ index: Int) throws {
        let context = ImageContext { $0.quality = 0.6 }
        let data = try encode(Self.distinguishing[index], context)
        #expect(data != (try encode({ _ in }, context)))
        #expect(try registry.decode(data).size == picture.size)
    }

    @Test(
        arguments: [
            { $0.threadLevel = 0 }
        ] as [Change])
    func performanceOptionsDoNotChangeTheFile(_ change: Change) throws {
        #expect(try encode(change) == encode { _ in })
    }

    @Test func nearLosslessFilesDifferByAFewLevels() throws {
        var random = SeededGenerator(seed: 7)
        let noise = (0..<3 * 64 * 64).map { _ in UInt8.random(in: 0..<18, using: &random) }
        let photo = Bitmap(64, 64) { x, y in
            let place = 3 * (64 * y + x)
            return Color(
                red: UInt8(100 + x / 2) + noise[place], green: UInt8(80 + y) + noise[place + 1],
                blue: UInt8(60 + (x + y) / 2) + noise[place + 2])
        }
        let image = Image(info: ImageInfo(format: .webp, storedSize: photo.size), bitmap: photo)
        var counts: [Int] = []
        for (level, bound) in [(20, 8), (40, 4), (60, 2), (80, 1), (100, 0)] {
            let context = ImageContext { $0.webPOptions.nearLosslessLevel = level }
            let data = try registry.encode(image, as: .webp, context: context)
            #expect(data.firstRange(of: Data("VP8L".utf8)) != nil)
            let decoded = try registry.decode(data).bitmap
            #expect(decoded.difference(from: photo) == bound)
            counts.append(data.count)
        }
        #expect(counts[2] < counts[3] && counts[3] < counts[4])
        let lossless = try registry.encode(image, as: .webp, context: ImageContext { $0.writesLosslessWebP = true })
        #expect(lossless.count == counts[4])
    }

    @Test func partitionsRequireLowMemory() throws {
        let plain = try encode { $0.savesMemory = true }
        #expect(try encode { ($0.savesMemory, $0.partitions) = (true, 3) } != plain)
    }

    @Test func defaultsEqualThoseOfLibwebpWithTwoThreads() throws {
        let options = WebPOptions()
        #expect((options.method, options.pass, options.threadLevel) == (4, nil, 1))
        #expect((options.segments, options.snsStrength, options.filterStrength) == (4, 50, 60))
        #expect((options.filterType, options.alphaFiltering, options.alphaQuality) == (1, 1, 100))
        #expect(options.compressesAlpha && !options.isLossless)
    }

    @Test func shortcutsSetPropertiesOfTheOptions() {
        let context = ImageContext {
            $0.writesLosslessWebP = true
            $0.webPMethod = 2
        }
        #expect(context.webPOptions.isLossless && context.webPOptions.method == 2)
    }
}

extension Bitmap {
    /// The largest difference of a channel.
    fileprivate func difference(from other: Bitmap) -> Int {
        withPixels { pixels in
            other.withPixels { others in pixels.indices.reduce(0) { max($0, abs(Int(pixels[$1]) - Int(others[$1]))) } }
        }
    }
}
