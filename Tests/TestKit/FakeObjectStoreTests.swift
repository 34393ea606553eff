import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The object store in memory behaves as documented.
@Suite struct FakeObjectStoreTests {
    private let store = FakeObjectStore()

    @Test func callsAreRecorded() async throws {
        try await store.put(Data([1]), as: "a", deadline: .seconds(1))
        _ = try await store.contains("b", deadline: .seconds(1))
        #expect(store.calls.values.map(\.operation) == [.put, .contains])
        #expect(store.calls.values.map(\.name) == ["a", "b"])
        #expect(store.callCount(of: .put) == 1)
        #expect(store.bytes(of: "a") == Data([1]))
    }

    @Test func failingPutHasNoEffect() async throws {
        store.fail(.put, with: ImageError(.network, .cache, "the engine is down"))
        await #expect(throws: ImageError.self) { try await store.put(Data([1]), as: "a", deadline: .seconds(1)) }
        #expect(try await !store.contains("a", deadline: .seconds(1)))
        store.fail(with: nil)
        try await store.put(Data([1]), as: "a", deadline: .seconds(1))
        #expect(store.names == ["a"])
    }

    @Test func heldPutTakesEffectWhenTheGateOpens() async throws {
        let gate = Gate()
        store.hold(.put, at: gate)
        let put = Task { [store] in try await store.put(Data([1]), as: "a", deadline: .seconds(3_600)) }
        await gate.waitForArrivals()
        #expect(try await !store.contains("a", deadline: .seconds(1)))
        gate.open()
        try await put.value
        #expect(try await store.contains("a", deadline: .seconds(1)))
    }

    @Test func heldCallFailsAtItsDeadline() async throws {
        let clock = ManualClock()
        let store = FakeObjectStore(clock: clock)
        store.hold(at: Gate())
        let call = Task { try await store.contains("a", deadline: .seconds(5)) }
        await clock.waitForSleeps()
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ImageError.self) { try await call.value }
        #expect(error?.kind == .timedOut)
    }

    @Test func ageIsMeasuredByTheClock() async throws {
        let clock = ManualClock()
        let store = FakeObjectStore(clock: clock)
        try await store.put(Data(), as: "a", deadline: .seconds(1))
        clock.advance(by: .seconds(7))
        #expect(try await store.object("a", byteLimit: 0, deadline: .seconds(1))?.age == .seconds(7))
    }

    @Test(arguments: ["", "a b", "é", "a?b", "a%20b"]) func otherNamesAreRefused(_ name: String) async throws {
        await #expect(throws: ImageError.self) { try await store.put(Data(), as: name, deadline: .seconds(1)) }
    }
}
