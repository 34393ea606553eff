@testable import DarkroomCore
@testable import DarkroomTargets
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor
@Suite(.bounded)
struct ImageTransitionTests {
    private let pictures = Pictures()
    private let gate = Gate()
    private let box: Darkbox
    private let cell: Cell

    init() {
        box = Darkbox(pictures.loader)
        cell = Cell(box.manager)
        cell.imageSlots.transition = NotedTransition(gate: gate)
        pictures.open(1, 2)
    }

    @Test func defaultDurationIsHalfASecond() {
        #expect(cell.imageSlots.transition?.duration == .milliseconds(500))
    }

    @Test func loadCompletesOnceTheImageIsShown() async throws {
        _ = try await cell.load(Pictures.url(1)).get()
        #expect(cell.notes == ["placeholder", "from here", "network"])
        #expect(!cell.imageState().isLoading)
        gate.open()
    }

    @Test func loadMayWaitForTheTransition() async throws {
        gate.open()
        let options = SlotOptions { $0.waitsForTransition = true }
        _ = try await cell.load(Pictures.url(1), options: options).get()
        #expect(cell.notes == ["placeholder", "from here", "network", "network", "to there"])
    }

    @Test func diskHitHasATransition() async throws {
        _ = try await box.manager.load(Pictures.url(1))
        box.images.removeAll()
        _ = try await cell.load(Pictures.url(1)).get()
        #expect(cell.notes == ["placeholder", "from here", "disk"])
        gate.open()
    }

    @Test func memoryHitHasATransitionOnlyIfForced() async throws {
        _ = try await box.manager.load(Pictures.url(1))
        _ = try await cell.load(Pictures.url(1)).get()
        #expect(cell.notes == ["memory"])
        _ = try await cell.load(Pictures.url(1), options: SlotOptions { $0.forcesTransition = true }).get()
        #expect(cell.notes == ["memory", "placeholder", "from here", "memory"])
        gate.open()
    }

    @Test func cancelledTransitionShowsNothing() async throws {
        let options = SlotOptions { $0.waitsForTransition = true }
        _ = try await cell.load(Pictures.url(1)).get()
        // A cancelled transition leaves the gate; the next one waits at it.
        let second = await cell.load(Pictures.url(2), options: options) { gate.open() }
        #expect(try second.get().image.bitmap == Pictures.bitmap(2))
        let own = cell.notes.drop { $0 != "placeholder" }.dropFirst().drop { $0 != "placeholder" }
        #expect(own.filter { $0 == "network" }.count == 2, "both of the second one's own")
        #expect(cell.bitmap == Pictures.bitmap(2))
    }
}
