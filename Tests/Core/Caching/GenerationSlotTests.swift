import DarkroomCore
import Testing

@Suite struct GenerationSlotTests {
    private var slot = GenerationSlot()

    private static let sources = 1...UInt64(GenerationSlot.recordLimit)

    private func response(_ source: UInt64, at moment: LoadMoment = .now()) -> GenerationSlot.Response {
        GenerationSlot.Response(source: source, revision: 7, moment: moment)
    }

    /// The first load to begin is the last to receive its response.
    @Test mutating func sourcesInOneSlotRefuseNothingOfEachOther() throws {
        let loads = Self.sources.map { (source: $0, ticket: slot.ticket(of: $0), moment: LoadMoment.now()) }
        var tickets: [StoreTicket] = []
        for load in loads.reversed() {
            let start = slot.start(response(load.source, at: load.moment), after: load.ticket)
            tickets.insert(try #require(start.ticket), at: 0)
        }
        for (load, ticket) in zip(loads, tickets) { #expect(slot.permits(ticket, for: load.source)) }
        slot.end(of: 1)
        for (load, ticket) in zip(loads, tickets) {
            #expect(slot.permits(ticket, for: load.source) == (load.source != 1))
        }
    }

    @Test mutating func ticketsFromBeforeAForgottenGenerationStayInvalid() throws {
        let old = slot.ticket(of: 9)
        let new = try #require(slot.start(response(9), after: nil).ticket)
        #expect(!slot.permits(old, for: 9) && slot.permits(new, for: 9))
        for source in Self.sources { _ = slot.start(response(source), after: nil) }
        #expect(slot.records.count == GenerationSlot.recordLimit)
        #expect(!slot.permits(old, for: 9))
        #expect(slot.start(response(9), after: nil).removesEntries, "whether the revision is the same is unknown")
    }

    /// The clock of the load is wrong by some seconds.
    @Test(arguments: [-3600, 0, 3600], [false, true])
    mutating func responseOfALoadBeforeARemovalIsRefused(seconds: Int64, isForgotten: Bool) {
        func moment() -> LoadMoment { LoadMoment(nanoseconds: LoadMoment.now().nanoseconds + seconds * 1_000_000_000) }
        let (ticket, early) = (slot.ticket(of: 9), moment())
        slot.end(of: 9)
        if isForgotten { for source in Self.sources { _ = slot.start(response(source), after: nil) } }
        // Two caches may share the entries.
        for _ in 0..<2 { #expect(slot.start(response(9, at: early), after: ticket).ticket == nil) }
        #expect(slot.start(response(9, at: moment()), after: slot.ticket(of: 9)).ticket != nil)
    }

    /// The load has taken its ticket before the removal, and called the loader after another load had.
    @Test mutating func responseThatMustNotBeStoredStillReplacesAnOlderOne() {
        let ticket = slot.ticket(of: 9)
        slot.end(of: 9)
        let older = slot.start(response(9), after: slot.ticket(of: 9))
        let newer = GenerationSlot.Response(source: 9, revision: 8, moment: .now())
        let start = slot.start(newer, after: ticket)
        #expect(start.ticket == nil && start.removesEntries)
        #expect(!slot.permits(older.ticket!, for: 9))
    }
}
