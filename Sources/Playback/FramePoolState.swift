import DarkroomCore

/// The frames and players of a `FramePool`. Mutations return the frames they remove, so that the caller can free them
/// after releasing its lock.
struct FramePoolState {
    /// The needs of one player.
    struct Needs: Sendable {
        /// The next frame to show, and the order of those after it.
        var nextPosition: PlaybackPosition
        var byteLimit = 0
        var isPlaying = false
    }

    let frameCount: Int
    var frames: [Int: Frame] = [:]
    /// The indices of frames that could not be decoded.
    var broken: Set<Int> = []
    var members: [Int: Needs] = [:]
    var automaticByteCount = FrameBudget.largestByteCount
    /// Whether a frame is being decoded.
    var isBusy = false
    /// The number of times that all frames were removed. A decode that began in an earlier epoch is not cached.
    private(set) var epoch = 0
    private var lastMember = 0
    private var frameByteCount = 0

    init(frameCount: Int) { self.frameCount = frameCount }

    mutating func join() -> Int {
        lastMember += 1
        members[lastMember] = Needs(nextPosition: PlaybackPosition(count: max(1, frameCount)))
        return lastMember
    }

    mutating func leave(_ member: Int) -> [Frame] {
        members[member] = nil
        return removeExcess()
    }

    mutating func begin(_ index: Int) -> Bool {
        guard !isBusy, frames[index] == nil, !broken.contains(index) else { return false }
        isBusy = true
        return true
    }

    mutating func cache(_ frame: Frame, at index: Int, epoch: Int) -> [Frame] {
        guard epoch == self.epoch else { return [] }
        broken.remove(index)
        insert(frame, at: index)
        return removeExcess(except: index)
    }

    mutating func adopt(_ others: [Int: Frame]) -> [Frame] {
        for (index, frame) in others where index < frameCount && frames[index] == nil { insert(frame, at: index) }
        return removeExcess()
    }

    mutating func removeAll() -> [Frame] {
        defer {
            frames = [:]
            broken = []
            epoch += 1
        }
        return Array(frames.values)
    }

    /// Removes the frames that are needed last, except for the one at `exception`, until there is room for `count` more
    /// within the limit.
    mutating func removeExcess(makingRoomFor count: Int = 0, except exception: Int? = nil) -> [Frame] {
        let limit = limit
        var removed: [Frame] = []
        while frames.count + count > limit, let last = lastNeeded(except: exception) {
            if let frame = frames.removeValue(forKey: last) { removed.append(frame) }
        }
        return removed
    }

    /// The number of bytes of all cached frames.
    var heldByteCount: Int { frames.values.reduce(0) { $0 + $1.bitmap.byteCount } }

    /// Removes the frames that are needed last until `byteCount` bytes are freed, and leaves at least one frame for
    /// each playing player.
    mutating func shrink(by byteCount: Int) -> [Frame] {
        var removed: [Frame] = []
        var removedByteCount = 0
        let least = max(1, members.values.count(where: \.isPlaying))
        while removedByteCount < byteCount, frames.count > least, let last = lastNeeded() {
            guard let frame = frames.removeValue(forKey: last) else { break }
            removedByteCount += frame.bitmap.byteCount
            removed.append(frame)
        }
        return removed
    }

    private mutating func insert(_ frame: Frame, at index: Int) {
        frames[index] = frame
        frameByteCount = max(frameByteCount, frame.bitmap.byteCount)
    }

    /// The frame limit: that of the most generous player, and at least one frame for each playing player, so that they
    /// do not evict each other's.
    private var limit: Int {
        let limits = members.values.map {
            FrameBudget.frameLimit(
                byteLimit: $0.byteLimit, automatic: automaticByteCount, frameByteCount: frameByteCount,
                frameCount: frameCount)
        }
        return max(1, limits.max() ?? 1, members.values.count(where: \.isPlaying))
    }

    /// Returns the frame that is farthest ahead of every player. Paused players count only if none is playing.
    private func lastNeeded(except exception: Int? = nil) -> Int? {
        let playing = members.values.filter(\.isPlaying)
        let positions = (playing.isEmpty ? Array(members.values) : playing).map(\.nextPosition)
        func distance(_ index: Int) -> Int { positions.map { $0.distance(to: index) }.min() ?? index }
        return frames.keys.filter { $0 != exception }.max { (distance($0), $0) < (distance($1), $1) }
    }
}
