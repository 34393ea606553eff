@testable import DarkroomCore
@testable import DarkroomPlayback
import DarkroomTestKit
import Dispatch
import TestSupport
import Testing

@Suite(.bounded)
struct FramePoolTests {
    @Test func playersOfOneAnimationShareItsFrames() async throws {
        let film = Film(frameCount: 5)
        let animation = film.animation()
        let players = try (0..<3).map { _ in try film.player(animation) }
        for player in players { player.start() }
        for _ in 0..<20 {
            for player in players { player.tick(.seconds(1)) }
            try await film.settle()
        }
        #expect(players.allSatisfy { $0.currentLoopCount > 1 })
        #expect(film.decoded.values.sorted() == [0, 1, 2, 3, 4])
    }

    @Test func differentAnimationsShareNoFrames() async throws {
        let film = Film(frameCount: 3)
        let animation = film.animation()
        for animation in [animation, animation.map { $0 }, film.animation()] {
            let player = try film.player(animation)
            try await player.seek(to: 2)
        }
        #expect(film.decoded.values == [2, 2, 2])
    }

    @Test func framesAreReleasedWithTheLastPlayer() async throws {
        let film = Film(frameCount: 5)
        let animation = film.animation()
        var players = try (0..<2).map { _ in try film.player(animation) }
        for index in 0..<5 { try await players[0].seek(to: index) }
        #expect(film.liveCount == 5)
        players.removeFirst()
        #expect(film.liveCount == 5)
        players.removeFirst()
        // The thread that decoded the last frame may hold it for a moment longer.
        try await film.settle()
        #expect(film.liveCount == 0)
    }

    @Test func frameNeededLastIsEvictedFirst() async throws {
        let film = Film(frameCount: 10)
        let player = try film.player(film.animation())
        player.bufferByteLimit = 3 * 4
        player.start()
        try await film.settle()
        var held: [[Int]] = []
        for _ in 0..<14 {
            player.tick(.seconds(1))
            try await film.settle()
            held.append(player.pool.indices)
        }
        #expect(held.allSatisfy { $0.count <= 3 })
        // The first frames stay, because they are needed again before those just shown.
        #expect(held[5] == [0, 1, 6])
        #expect(player.currentLoopCount == 1)
    }

    @Test(arguments: [(Int.max, 6), (1, 18), (0, 6)])
    func limitDeterminesWhichFramesAreDecodedAgain(limit: Int, expected: Int) async throws {
        let film = Film(frameCount: 6)
        let player = try film.player(film.animation(loopCount: 3))
        player.bufferByteLimit = limit
        player.start()
        while player.isPlaying {
            player.tick(.seconds(1))
            try await film.settle()
            // The buffer and the visible frame.
            #expect(limit != 1 || film.liveCount <= 2)
        }
        #expect(film.decoded.values.count == expected)
    }

    @Test func lowerLimitAppliesToFramesThatAreCachedAlready() async throws {
        let film = Film(frameCount: 10)
        let player = try film.player(film.animation())
        player.bufferByteLimit = .max
        player.start()
        try await film.settle()
        for _ in 0..<12 {
            player.tick(.seconds(1))
            try await film.settle()
        }
        #expect(player.pool.indices == Array(0..<10))
        player.bufferByteLimit = 1
        #expect(player.pool.indices.count == 1)
        player.tick(.seconds(1))
        try await film.settle()
        #expect(player.pool.indices.count == 1)
    }

    @Test func distantPlayersDoNotEvictEachOthersFrames() async throws {
        let film = Film(frameCount: 100)
        let animation = film.animation()
        let players = try (0..<2).map { _ in try film.player(animation) }
        for player in players { player.bufferByteLimit = 1 }
        try await players[1].seek(to: 50)
        for player in players { player.start() }
        for _ in 0..<40 {
            for player in players { player.tick(.milliseconds(500)) }
            try await film.settle()
        }
        #expect(players[0].currentFrameIndex >= 15 && players[1].currentFrameIndex >= 65)
    }

    @Test func longAnimationCachesFewFrames() async throws {
        let film = Film(frameCount: 500, size: PixelSize(600, 600))
        let image = try film.image(of: film.animation(loopCount: 1))
        let player = try #require(AnimationPlayer(image, executor: film.executor))
        player.start()
        var (shown, most) = (0, 0)
        while player.isPlaying {
            shown += player.tick(.seconds(1)).count
            try await film.settle()
            most = max(most, film.liveCount)
        }
        #expect(shown == 501)
        #expect(most < 16, "\(most) frames were in memory")
        #expect(film.decoded.values == Array(1..<500))
    }

    @Test func framesCountAgainstTheMemoryBudgetAndAreEvicted() async throws {
        let film = Film(frameCount: 10)
        let memory = MemoryBudget(byteLimit: 40)
        let player = try film.player(film.animation(), budget: FrameBudget(memory: memory))
        player.start()
        for _ in 0..<30 {
            player.tick(.seconds(1))
            try await film.settle()
        }
        #expect((player.pool.indices.count, memory.availableByteCount) == (10, 0))
        let reservation = try #require(memory.reserveNow(24))
        #expect(player.pool.indices.count == 4)
        for _ in 0..<30 {
            player.tick(.seconds(1))
            try await film.settle()
        }
        #expect(player.pool.indices.count == 4)
        #expect(player.isPlaying)
        reservation.release()
    }

    @Test func frameNeededNextIsNeverEvicted() async throws {
        let film = Film(frameCount: 10)
        let memory = MemoryBudget(byteLimit: 8)
        let player = try film.player(film.animation(), budget: FrameBudget(memory: memory))
        player.start()
        player.tick(.seconds(1))
        try await film.settle()
        let next = player.pool.indices.max()
        let reservation = try #require(memory.reserveNow(100))
        #expect(player.pool.indices.last == next && player.pool.indices.count == 1)
        withExtendedLifetime(reservation) {}
    }

    @Test func clearingAffectsAllPlayers() async throws {
        let film = Film(frameCount: 4)
        let animation = film.animation()
        let players = try (0..<2).map { _ in try film.player(animation) }
        try await players[0].seek(to: 1)
        try await players[0].seek(to: 2)
        players[1].clearBuffer()
        #expect(film.liveCount == 1)
        #expect(players[0].currentFrame?.bitmap.filmIndex == 2)
        try await players[0].seek(to: 1)
        #expect(film.decoded.values == [1, 2, 1])
    }

    @Test func requestsDuringADecodeAreDropped() async throws {
        let film = Film(frameCount: 9)
        let pool = FramePool(film.animation(), transformer: nil, executor: film.executor, budget: FrameBudget())
        let hold = DispatchSemaphore(value: 0)
        film.executor.enqueue { hold.wait() }
        for index in [3, 4, 5] { pool.fetch(index) }
        hold.signal()
        try await film.settle()
        #expect(pool.indices == [3])
    }

    @Test func deallocatedPoolDecodesNothing() async throws {
        let film = Film(frameCount: 9)
        let hold = DispatchSemaphore(value: 0)
        film.executor.enqueue { hold.wait() }
        do {
            let player = try film.player(film.animation())
            player.start()
            player.tick(.seconds(1))
        }
        hold.signal()
        try await film.settle()
        #expect(film.decoded.values.isEmpty)
    }
}
