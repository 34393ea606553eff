@testable import DarkroomCore
@testable import DarkroomPlayback
import DarkroomTestKit
import Synchronization
import TestSupport

/// An animation that counts the frames decoded and the frames in memory.
final class Film: Sendable {
    private struct Reel {
        weak var pixels: PixelStorage?
    }

    private let reels = Mutex<[Reel]>([])

    let size: PixelSize
    let frameCount: Int
    let broken: Set<Int>
    /// How many more times each frame fails for the moment.
    private let failureCounts: Mutex<[Int: Int]>
    /// The indices of the frames in the order of decoding.
    let decoded = Recorder<Int>()
    /// A single thread, which runs its work in the order of enqueueing.
    let executor = WorkExecutor(name: "film", width: 1)

    init(frameCount: Int, size: PixelSize = PixelSize(1, 1), broken: Set<Int> = [], failureCounts: [Int: Int] = [:]) {
        self.frameCount = frameCount
        self.size = size
        self.broken = broken
        self.failureCounts = Mutex(failureCounts)
    }

    /// Returns whether frame `index` cannot be decoded at the moment.
    func fails(_ index: Int) -> Bool {
        failureCounts.withLock { counts in
            guard let count = counts[index], count > 0 else { return false }
            counts[index] = count - 1
            return true
        }
    }

    /// Creates an animation whose frames last a second each.
    func animation(loopCount: Int = 0, frames: Int? = nil) -> Animation {
        let count = frames ?? frameCount
        return Animation(
            loopCount: loopCount, frameDurations: Array(repeating: .seconds(1), count: count), byteCount: 0
        ) { Projector(film: self, count: count) }
    }

    /// Returns the image of `animation`, with its first frame decoded.
    func image(of animation: Animation, isPreview: Bool = false) throws -> Image {
        var info = ImageInfo(format: .png, storedSize: size)
        info.frameCount = animation.frameCount
        var image = Image(info: info, bitmap: try picture(0), animation: animation)
        image.metadata.isPreview = isPreview
        return image
    }

    func player(_ animation: Animation, poster: Bitmap? = nil, budget: FrameBudget = .init()) throws -> AnimationPlayer
    {
        let player = AnimationPlayer(
            animation, poster: poster, transformer: nil, executor: executor, budget: budget)
        guard let player else { throw ImageError(.internal, .decode, "no player") }
        return player
    }

    /// Returns once no frame is being decoded.
    func settle() async throws { try await executor.run {} }

    /// The number of frames in memory.
    var liveCount: Int {
        reels.withLock { reels in
            reels.removeAll { $0.pixels == nil }
            return reels.count
        }
    }

    /// Returns the bitmap of frame `index`, which contains the index.
    func picture(_ index: Int) throws -> Bitmap {
        let bitmap = try Bitmap(size, hasAlpha: false) { pixels in
            pixels[0] = UInt8(index & 255)
            pixels[1] = UInt8(index >> 8)
        }
        let pixels = Mirror(reflecting: bitmap).descendant("storage") as? PixelStorage
        reels.withLock { $0.append(Reel(pixels: pixels)) }
        return bitmap
    }
}

private struct Projector: FrameDecoder {
    let film: Film
    let count: Int
    var next = 0

    mutating func nextFrame() throws -> Frame? {
        guard next < count else { return nil }
        defer { next += 1 }
        film.decoded.note(next)
        if film.fails(next) { throw ImageError(.busy, .decode, "busy") }
        guard !film.broken.contains(next) else { throw ImageError(.corrupt, .decode, "broken") }
        return Frame(try film.picture(next), duration: .seconds(1))
    }

    mutating func seek(to index: Int) -> Bool {
        next = index
        return true
    }
}

extension Bitmap {
    /// The index that a `Film` has written into the pixels.
    var filmIndex: Int { withPixels { Int($0[0]) | Int($0[1]) << 8 } }
}

extension PlayerEvent {
    /// A frame as its index, verified against its pixels; the end of a loop as `|1`.
    var word: String {
        switch self {
        case .frame(let shown):
            shown.frame.bitmap.filmIndex == shown.index ? "\(shown.index)" : "\(shown.index)≠"
        case .loopEnded(let count): "|\(count)"
        }
    }
}
