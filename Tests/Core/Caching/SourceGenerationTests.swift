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

    @Test mutating func firstResponseRemovesNothing() throws {
        let ticket = generations.ticket(forSource: source)
        let start = generations.start(ofSource: source, at: .now(), after: ticket)
        #expect(!start.removesEntries)
        // A second load that had seen no original, either, cannot know what the first has stored meanwhile.
        let second = generations.start(ofSource: source, at: .now(), after: ticket)
        #expect(second.removesEntries)
        // The same if its lookup came between the response and the store of the first.
        let (late, other) = (generations.ticket(forSource: source), try #require(second.ticket))
        let third = generations.start(ofSource: source, at: .now(), after: late)
        #expect(third.removesEntries && !generations.permits(other, forSource: source))
    }

    @Test mutating func responseOfAnEarlierLoadIsRefused() throws {
        let (early, late) = (LoadMoment.now(), LoadMoment.now())
        #expect(early < late)
        let start = generations.start(ofSource: source, at: late, after: nil)
        #expect(start.removesEntries)
        let refused = generations.start(ofSource: source, at: early, after: nil)
        #expect(refused.ticket == nil && !refused.removesEntries, "the entries are those of the later load")
        #expect(generations.permits(try #require(start.ticket), forSource: source))
        #expect(generations.start(ofSource: source, at: .now(), after: nil).ticket != nil)
    }

    /// A cache for originals may also be the lower tier of the cache for results.
    @Test mutating func generationOfAResponseIsStartedOnce() throws {
        let (ticket, moment) = (generations.ticket(forSource: source), LoadMoment.now())
        let first = try #require(generations.start(ofSource: source, at: moment, after: ticket).ticket)
        let second = generations.start(ofSource: source, at: moment, after: ticket)
        #expect(generations.permits(first, forSource: source) && !second.removesEntries)
        #expect(generations.permits(try #require(second.ticket), forSource: source))
        generations.end(ofSource: source)
        #expect(generations.start(ofSource: source, at: moment, after: ticket).ticket == nil)
    }

    @Test mutating func responseOfALoadBeforeARemovalIsRefused() {
        let (ticket, moment) = (generations.ticket(forSource: source), LoadMoment.now())
        generations.end(ofSource: source)
        #expect(generations.start(ofSource: source, at: moment, after: ticket).ticket == nil)
        #expect(generations.start(ofSource: source, at: .now(), after: nil).ticket != nil)
    }

    @Test mutating func momentInTheFutureRefusesNothing() {
        _ = generations.start(ofSource: source, at: LoadMoment(nanoseconds: .max), after: nil)
        #expect(generations.start(ofSource: source, at: .now(), after: nil).ticket != nil)
    }

    /// Whether the entries are older is then unknown, so they are removed as well.
    @Test mutating func laterLoadOfASourceInTheSameSlotRefusesAResponse() throws {
        let early = LoadMoment.now()
        for number in 0..<20_000 { _ = generations.start(ofSource: "\(number)", at: .now(), after: nil) }
        let ticket = generations.ticket(forSource: source)
        let refused = generations.start(ofSource: source, at: early, after: nil)
        #expect(refused.ticket == nil && refused.removesEntries)
        #expect(!generations.permits(ticket, forSource: source))
    }
}
