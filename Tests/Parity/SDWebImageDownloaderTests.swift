import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// `SDWebImageDownloader`, its modifiers and decryptor, `SDImageLoader` and `SDImageLoadersManager`.
@Suite(.bounded)
struct SDWebImageDownloaderTests {
    @Test func requestsForTheSameURLShareOneTransfer() async throws {
        let gate = Gate()
        let studio = try Studio(
            FakeOrigin { _ in
                await gate.wait()
                return Studio.fresh
            })
        let loads = [nil, Thumbnail.fit(6, 6), .fit(3, 3)].map { thumbnail in
            Task { try await studio.load { $0.thumbnail = thumbnail }.image.size }
        }
        await gate.waitForArrivals()
        gate.open()
        var sizes: Set<PixelSize> = []
        for load in loads { sizes.insert(try await load.value) }
        #expect(sizes == [PixelSize(12, 8), PixelSize(6, 4), PixelSize(3, 2)])
        #expect(studio.origin.requests.count == 1)
    }

    @Test func cancellingOneOfTwoRequestsLeavesTheOther() async throws {
        let gate = Gate()
        let studio = try Studio(
            FakeOrigin { _ in
                try await gate.waitUnlessCancelled()
                return Studio.fresh
            })
        let first = Task { await studio.failureKind() }
        await gate.waitForArrivals()
        let joined = Recorder<Int>()
        let second = Task {
            for try await _ in studio.manager.events(for: Studio.url) { joined.note(1) }
        }
        await joined.waitForValues(1)
        first.cancel()
        #expect(await first.value == .cancelled)
        gate.open()
        try await second.value
        #expect(studio.origin.requests.count == 1)
    }

    @Test func queuePriorityOfAWaitingDownloadCanBeChanged() async throws {
        let origin = FakeOrigin { _ in Studio.fresh }
        let loader = origin.limited(to: 1)
        loader.isSuspended = true
        let studio = try Studio(origin) { $0.install(loader) }
        let urls = ["first", "second"].compactMap { URL(string: "https://example.com/\($0).plain") }
        let urgency = Urgency()
        let context = ImageContext { $0.urgency = urgency }
        var loads: [Task<LoadResult, any Error>] = []
        for (index, context) in [ImageContext(), context].enumerated() {
            loads.append(Task { try await studio.manager.load(urls[index], context: context) })
            await StateChanges.wait { loader.waitingTransferCount == index + 1 }
        }
        urgency.priority = .high
        loader.isSuspended = false
        for load in loads { _ = try await load.value }
        #expect(origin.requests.map(\.url) == urls.reversed())
    }

    @Test func requestModifierChangesTheRequest() async throws {
        let studio = try Studio()
        let moved = URL(string: "https://example.com/moved.plain")!
        _ = try await studio.load { $0.requestModifier = { $0.url = moved } }
        #expect(studio.origin.requests.map(\.url) == [moved])
    }

    @Test func responseModifierThatThrowsFailsTheLoad() async throws {
        let studio = try Studio()
        let kind = await studio.failureKind {
            $0.responseModifier = { _, _ in throw ImageError(.refused, .load, "not this response") }
        }
        #expect(kind == .refused && studio.origin.requests.count == 1)
    }

    /// `responseModifier` runs before the status check: without a status, its convenience sets 200.
    @Test func responseModifierDecidesBeforeTheStatusIsChecked() async throws {
        var missing = Studio.fresh
        missing.status = 404
        let found = try Studio(FakeOrigin(missing))
        #expect(await found.failureKind() == .status)
        #expect(
            await found.failureKind { $0.responseModifier = { response, _ in response.metadata?.status = 200 } } == nil)
        let lost = try Studio()
        let kind = await lost.failureKind { $0.responseModifier = { response, _ in response.metadata?.status = 404 } }
        #expect(kind == .status)
    }

    /// `cancelAllDownloads`.
    @Test func cancelAllDownloadsEndsEveryTransferAndLaterOnesWork() async throws {
        let gate = Gate()
        let loader = FakeOrigin { _ in
            try await gate.waitUnlessCancelled()
            return Studio.fresh
        }.limited(to: 1)
        let studio = try Studio { $0.install(loader) }
        let other = URL(string: "https://example.com/other.plain")!
        let loads = [Studio.url, other].map { url in Task { _ = try await studio.manager.load(url) } }
        await gate.waitForArrivals()
        await StateChanges.wait { loader.transferCount == 2 }
        loader.cancelAll()
        for load in loads {
            let error = await #expect(throws: ImageError.self) { try await load.value }
            #expect(error?.kind == .cancelled)
        }
        gate.open()
        #expect(try await studio.load().image.bitmap == Studio.card)
    }

    @Test func decryptorTurnsTheDownloadedBytesIntoThoseOfAnImage() async throws {
        let studio = try Studio([.init(Studio.file.base64EncodedData())])
        let result = try await studio.load { $0.decryptor = .base64 }
        #expect(result.image.bitmap == Studio.card)
    }

    @Test func decryptorThatReturnsNothingIsAnError() async throws {
        let studio = try Studio()
        #expect(await studio.failureKind { $0.decryptor = Decryptor { _, _ in nil } } != nil)
    }

    @Test func noBytesAtAllAreAnError() async throws {
        let studio = try Studio([.init(Data())])
        #expect(await studio.failureKind() == .corrupt)
    }

    @Test func progressReportsReceivedAndExpectedBytes() async throws {
        let studio = try Studio()
        var last: (Int, Int?) = (0, nil)
        for try await event in studio.manager.events(for: Studio.url) {
            if case .progress(let received, let expected) = event { last = (received, expected) }
        }
        #expect(last == (Studio.file.count, Studio.file.count))
    }

    @Test func lastLoaderThatCanLoadTheURLIsUsed() async throws {
        let local = FakeLoader(PlainCoder.file(of: .testCard(2, 2)))
        let studio = try Studio { $0.install(local) }
        #expect(try await studio.load().image.size == PixelSize(2, 2))
        #expect(studio.origin.requests.isEmpty)
    }

    @Test func loaderOfOneRequestReplacesThatOfTheManager() async throws {
        let studio = try Studio()
        let loader = FakeLoader(PlainCoder.file(of: .testCard(2, 2)))
        #expect(try await studio.load { $0.loader = loader }.image.size == PixelSize(2, 2))
    }

    @Test func urlWithoutALoaderIsAnErrorWithItsScheme() async throws {
        let error = await #expect(throws: ImageError.self) {
            try await Studio().manager.load(URL(string: "ftp://example.com/a.plain")!)
        }
        #expect(error?.kind == .noLoader)
    }
}
