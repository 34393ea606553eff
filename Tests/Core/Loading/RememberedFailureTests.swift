@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.bounded)
struct RememberedFailureTests {
    @Test func defaultFollowsTheTable() {
        let loader = FakeLoader(Data())
        for kind in [ImageError.Kind.invalidURL, .corrupt, .noCoder] {
            #expect(loader.remembers(ImageError(kind, .load, "no")), "\(kind)")
        }
        for kind in [ImageError.Kind.status, .contentType, .network, .timedOut, .cancelled, .refused, .overLimit] {
            #expect(!loader.remembers(ImageError(kind, .load, "no")), "\(kind)")
        }
    }

    @Test func truncatedPictureIsRemembered() async {
        #expect(FakeLoader(Data()).remembers(ImageError(.incomplete, .decode, "the file is truncated")))
        #expect(!FakeLoader(Data()).remembers(ImageError(.incomplete, .load, "the connection was closed")))
        let box = Darkbox(FakeLoader(Darkbox.file.dropLast(9)))
        for _ in 0..<2 { await #expect(throws: ImageError.self) { try await box.load() } }
        #expect(box.loader.requests.count == 1)
    }

    /// Returns the number of requests of two loads that fail with `kind`.
    private func attempts(_ kind: ImageError.Kind, _ configure: (inout ImageContext) -> Void) async -> Int {
        let box = Darkbox(FakeLoader { _ in throw ImageError(kind, .load, "no") })
        for _ in 0..<2 { _ = try? await box.load(configure) }
        return box.loader.requests.count
    }

    @Test func contextOverridesTheLoader() async {
        #expect(await attempts(.network) { _ in } == 2)
        #expect(await attempts(.network) { $0.remembersFailure = { _, error in error.kind == .network } } == 1)
        #expect(await attempts(.corrupt) { _ in } == 1)
        #expect(await attempts(.corrupt) { $0.remembersFailure = { _, _ in false } } == 2)
    }

    @Test func contextReceivesTheURL() async {
        let asked = Recorder<URL>()
        _ = await attempts(.status) { context in
            context.remembersFailure = { url, _ in
                asked.note(url)
                return false
            }
        }
        #expect(asked.values == [Darkbox.url, Darkbox.url])
    }

    @Test(arguments: [ImageError.Kind.cancelled, .refused])
    func errorsUnrelatedToTheURLAreNeverRemembered(kind: ImageError.Kind) async {
        #expect(await attempts(kind) { $0.remembersFailure = { _, _ in true } } == 2)
    }

    @Test func refusalByTheListIsNotRememberedAgain() async throws {
        let asked = Recorder<ImageError>()
        let box = Darkbox(FakeLoader { _ in throw ImageError(.status, .load, "gone") })
        for _ in 0..<3 {
            _ = try? await box.load {
                $0.remembersFailure = { _, error in
                    asked.note(error)
                    return true
                }
            }
        }
        #expect(asked.values.map(\.kind) == [.status] && box.loader.requests.count == 1)
    }

    @Test func decryptorOfOneCallerDoesNotBlockOthers() async throws {
        let box = Darkbox()
        await #expect(throws: ImageError.self) { try await box.load { $0.decryptor = Decryptor { _, _ in nil } } }
        #expect(try await box.load().image.bitmap == Darkbox.bitmap)
    }

    // Computed each time: the leak sanitizer reports a `Data` in a static property.
    private static var parts: [ImageContext] {
        [
            ImageContext { $0.requestModifier = { _ in } }, ImageContext { $0.responseModifier = { _, _ in } },
            ImageContext { $0.decryptor = Decryptor { data, _ in data } }, ImageContext { $0.coder = PlainCoder() },
            ImageContext { $0.loader = FakeLoader(Darkbox.file) },
        ]
    }

    @Test(arguments: parts)
    func failureWithoutPartsOfItsOwnDoesNotConcernACaller(with parts: ImageContext) async throws {
        let isFirst = Mutex(true)
        let loader = FakeLoader { _ in
            let fails = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return LoadResponse(.data(fails ? Data("no picture".utf8) : Darkbox.file))
        }
        let box = Darkbox(loader)
        for _ in 0..<2 { await #expect(throws: ImageError.self) { try await box.load() } }
        var parts = parts
        parts.cachePolicy = .none
        #expect(try await box.manager.load(Darkbox.url, context: parts).image.bitmap == Darkbox.bitmap)
        let error = await #expect(throws: ImageError.self, "nor does its success concern others") {
            try await box.load()
        }
        #expect(error?.kind == .refused)
    }
}
