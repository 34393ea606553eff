import DarkroomCore
import Testing

@Suite struct SourceGenerationTests {
    private var generations = SourceGenerations()
    private let source = "https://example.com/a.png"

    @Test mutating func ticketEndsWithItsGeneration() {
        let ticket = generations.ticket(forSource: source)
        #expect(generations.permits(ticket, forSource: source))
        generations.end(ofSource: source)
        #expect(!generations.permits(ticket, forSource: source))
        #expect(generations.permits(generations.ticket(forSource: source), forSource: source))
        #expect(generations.permits(.unchecked, forSource: source))
        #expect(!generations.permits(.refused, forSource: source))
        let other = generations.ticket(forSource: source)
        generations.endAll()
        #expect(!generations.permits(other, forSource: source))
    }

    @Test mutating func responseWithTheRevisionOfTheGenerationRemovesNothing() throws {
        let ticket = generations.ticket(forSource: source)
        func response(_ revision: String?) -> SourceResponse {
            SourceResponse(of: source, at: .now(), revision: revision)
        }
        let first = generations.start(response("1"), after: ticket)
        #expect(first.removesEntries, "there may be entries of an older revision")
        let same = generations.start(response("1"), after: nil)
        let tickets = (try #require(first.ticket), try #require(same.ticket))
        #expect(!same.removesEntries)
        #expect(generations.permits(tickets.0, forSource: source) && generations.permits(tickets.1, forSource: source))
        for revision in ["2", nil, nil, "1"] {
            let other = generations.start(response(revision), after: nil)
            #expect(other.removesEntries && !generations.permits(tickets.0, forSource: source))
            #expect(generations.permits(try #require(other.ticket), forSource: source))
        }
        generations.end(ofSource: source)
        #expect(generations.start(response("1"), after: nil).removesEntries, "entries may be removed in parallel")
    }

    @Test mutating func responseOfAnEarlierLoadIsRefused() throws {
        let (early, late) = (LoadMoment.now(), LoadMoment.now())
        #expect(early < late)
        let start = generations.start(SourceResponse(of: source, at: late), after: nil)
        #expect(start.removesEntries)
        let refused = generations.start(SourceResponse(of: source, at: early), after: nil)
        #expect(refused.ticket == nil && !refused.removesEntries, "the entries are those of the later load")
        #expect(generations.permits(try #require(start.ticket), forSource: source))
        #expect(generations.start(SourceResponse(of: source, at: .now()), after: nil).ticket != nil)
    }

    /// A cache for originals may also be the lower tier of the cache for results.
    @Test mutating func generationOfAResponseIsStartedOnce() throws {
        let (ticket, response) = (generations.ticket(forSource: source), SourceResponse(of: source, at: .now()))
        let first = try #require(generations.start(response, after: ticket).ticket)
        let second = generations.start(response, after: ticket)
        #expect(generations.permits(first, forSource: source) && !second.removesEntries)
        #expect(generations.permits(try #require(second.ticket), forSource: source))
        generations.end(ofSource: source)
        #expect(generations.start(response, after: ticket).ticket == nil)
    }

    @Test mutating func responseOfALoadBeforeARemovalIsRefused() {
        let (ticket, response) = (generations.ticket(forSource: source), SourceResponse(of: source, at: .now()))
        generations.end(ofSource: source)
        #expect(generations.start(response, after: ticket).ticket == nil)
        #expect(generations.start(SourceResponse(of: source, at: .now()), after: nil).ticket != nil)
    }

    @Test mutating func momentInTheFutureRefusesNothing() {
        _ = generations.start(SourceResponse(of: source, at: LoadMoment(nanoseconds: .max)), after: nil)
        #expect(generations.start(SourceResponse(of: source, at: .now()), after: nil).ticket != nil)
    }

    /// Whether the entries are older is then unknown, so they are removed as well.
    @Test mutating func laterLoadOfASourceInTheSameSlotRefusesAResponse() throws {
        let early = LoadMoment.now()
        for number in 0..<20_000 { _ = generations.start(SourceResponse(of: "\(number)", at: .now()), after: nil) }
        let ticket = generations.ticket(forSource: source)
        let refused = generations.start(SourceResponse(of: source, at: early), after: nil)
        #expect(refused.ticket == nil && refused.removesEntries)
        #expect(!generations.permits(ticket, forSource: source))
    }
}
