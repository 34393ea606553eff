@testable import DarkroomCore
@testable import DarkroomTargets
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor
@Suite(.bounded)
struct SlotPriorityTests {
    private let served = Recorder<String>()

    /// The load of a cell that has left the screen makes way for the others.
    @Test(arguments: [false, true]) func priorityOfALoadInFlightCanBeChanged(_ hasUrgency: Bool) async throws {
        let loader = FakeLoader { [served] request in
            served.note(request.url.lastPathComponent)
            return LoadResponse(.data(Darkbox.file))
        }.limited(to: 1)
        loader.isSuspended = true
        let box = Darkbox {
            $0.install(loader)
            $0.defaults.priority = .high
        }
        let cells = (0..<3).map { _ in Cell(box.manager) }
        cells[0].setImageLoadPriority(.low)
        for (number, cell) in cells.enumerated() {
            let url = try #require(URL(string: "http://example.com/\(number)"))
            cell.setImage(url, context: hasUrgency ? ImageContext { $0.urgency = Urgency(.high) } : ImageContext())
            await StateChanges.wait { loader.waitingTransferCount == number + 1 }
        }
        cells[0].setImageLoadPriority(.normal)
        cells[1].setImageLoadPriority(.low)
        loader.isSuspended = false
        await served.waitForValues(3)
        #expect(served.values == ["2", "0", "1"])
        withExtendedLifetime(cells) {}
    }
}
