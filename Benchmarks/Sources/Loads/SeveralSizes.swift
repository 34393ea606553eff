import DarkroomCore
import DarkroomTestKit
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Loads three sizes of one image in one call, compared with three calls.
struct SeveralSizes {
    let path: String

    private let contexts = [1280.0, 640, 320].map { side in ImageContext { $0.thumbnail = .fit(side, side) } }

    init(path: String) { self.path = path }

    func measure() async throws {
        let file = try Data(contentsOf: URL(filePath: path))
        var (together, apart): ([Double], [Double]) = ([], [])
        var noise: [Double] = []
        for _ in 0..<5 {
            var (ours, singles): ([Image], [Image]) = ([], [])
            together.append(
                try await cpuMilliseconds {
                    ours = try await manager(file).load(url, contexts: contexts).map { try $0.get().image }
                })
            apart.append(
                try await cpuMilliseconds {
                    for context in contexts {
                        singles.append(try await manager(file).load(url, context: context).image)
                    }
                })
            noise = zip(ours, singles).map { $0.bitmap.signalToNoise(against: $1.bitmap) }
        }
        let ratio = (apart.median / together.median * 100).rounded() / 100
        print("sizes 1280, 640, 320; CPU ms in one call, in three, times as fast; PSNR of each against its own call")
        print(
            together.median.rounded(), apart.median.rounded(), ratio, noise.map { ($0 * 10).rounded() / 10 },
            separator: "  ")
    }

    private var url: URL { URL(filePath: path) }

    private func manager(_ file: Data) throws -> ImageManager {
        try ImageManager {
            $0.install(FakeLoader(file))
            $0.coders = Photograph.coders
        }
    }
}

extension Bitmap {
    /// Returns the peak signal-to-noise ratio in decibels; infinite for equal pixels.
    fileprivate func signalToNoise(against other: Bitmap) -> Double {
        guard size == other.size else { return 0 }
        var sum = 0.0
        withPixels { ours in
            other.withPixels { theirs in
                for index in ours.indices where index % 4 != 3 {
                    let difference = Double(ours[index]) - Double(theirs[index])
                    sum += difference * difference
                }
            }
        }
        let mean = sum / Double(size.width * size.height * 3)
        return mean == 0 ? .infinity : 10 * log10Of(255 * 255 / mean)
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

private func log10Of(_ value: Double) -> Double { log10(value) }
