#if HTTP
    import DarkroomCore
    @testable import DarkroomHTTP
    import Synchronization
    import TestSupport
    import Testing

    /// Numbers in the order they were appended.
    private final class Order: Sendable {
        private let list = Mutex<[Int]>([])
        var numbers: [Int] { list.withLock(\.self) }
        func append(_ number: Int) { list.withLock { $0.append(number) } }
    }

    @Suite(.timeLimit(.minutes(2)))
    struct TransferSlotsTests {
        @Test func onlySoManyTransfersRunAtOnce() async throws {
            let gate = Latch()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await gate.wait()
                    try await reply.send()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.maxConcurrentTransfers = 2 }
                async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<7 { group.addTask { _ = try await loader.data(server.url("/")) } }
                    try await group.waitForAll()
                }
                await waitUntil { loader.transferCount == 7 && server.requests.count == 2 }
                loader.maxConcurrentTransfers = 3
                await waitUntil { server.requests.count == 3 }
                #expect(loader.transferCount == 7)
                gate.open()
                try await all
                #expect(server.requests.count == 7)
            }
        }

        @Test func slotsAreGivenInTheOrderTheyWereAskedFor() async throws {
            let slots = TransferSlots(limit: 1)
            let order = Order()
            let first = try await slots.acquire()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let slot = try await slots.acquire()
                        order.append(number)
                        slot.release()
                        slot.release()
                    }
                    await waitUntil { slots.count == number + 2 }
                }
                first.release()
                try await group.waitForAll()
            }
            #expect(order.numbers == Array(0..<20))
            #expect(slots.count == 0)
        }

        @Test func cancelledWaiterLeavesTheQueueAtOnce() async throws {
            let slots = TransferSlots(limit: 1)
            let first = try await slots.acquire()
            let waiter = Task { try await slots.acquire().release() }
            let next = Task { try await slots.acquire().release() }
            await waitUntil { slots.count == 3 }
            waiter.cancel()
            try await expectError(.cancelled) { try await waiter.value }
            #expect(slots.count == 2)
            first.release()
            try await next.value
            #expect(slots.count == 0)
        }

        @Test func cancelledTaskGetsNoSlot() async throws {
            let slots = TransferSlots(limit: 1)
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await slots.acquire().release()
            }
            try await expectError(.cancelled) { try await task.value }
            #expect(slots.count == 0)
        }

        @Test func limitIsAtLeastOne() async throws {
            let slots = TransferSlots(limit: 0)
            let slot = try await slots.acquire()
            slots.limit = -1
            #expect(slots.limit == 1)
            slot.release()
            _ = try await slots.acquire()
        }

        @Test func randomComingAndGoingLosesNoSlot() async throws {
            let slots = TransferSlots(limit: 3)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let task = Task {
                            let slot = try await slots.acquire()
                            await Task.yield()
                            slot.release()
                        }
                        if number % 3 == 0 { task.cancel() }
                        _ = try? await task.value
                    }
                }
            }
            #expect(slots.count == 0)
        }
    }
#endif
