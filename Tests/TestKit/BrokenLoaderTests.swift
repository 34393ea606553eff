import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The kit tells what is wrong with each broken loader, and finds nothing wrong with a sound one.
@Suite struct BrokenLoaderTests {
    static let loaders: [(sentence: String, loader: any ImageLoader)] = [
        ("after a later one", TellingBackwards()),
        ("6000 bytes are announced, and 3000 arrive", AnnouncingTooMuch()),
        ("it returns 3000 bytes at once, and the limit is 2999", BringingTooMuch()),
        ("returns 2000 bytes that are not the 3000 expected", LosingTheEnd()),
        ("which is for others", TakingAnyURL()),
        ("ends in an error that is not an ImageError", FailingStrangely()),
        ("should fail, but is loaded", InventingPictures()),
        ("changes although nothing else does", ChangingVersions()),
        ("returns no bytes", SayingNothingHasChanged()), ("but its check refuses it", RefusingItsOwn()),
        ("does not permit it from a cache", DistrustingItself()), ("contains a user or a password", TellingSecrets()),
    ]

    private static let missing = URL(string: "mem:missing")!
    private static let foreign = URL(string: "https://example.com/a.png")!

    private func checkAll(_ loader: any ImageLoader) async throws {
        try await LoaderContract(loader).checkAll(
            SoundLoader.url, returns: SoundLoader.bytes, missing: [Self.missing], foreign: [Self.foreign])
    }

    @Test(arguments: loaders.indices) func isCaught(_ index: Int) async throws {
        let (sentence, loader) = Self.loaders[index]
        let violation = try await #require(throws: ContractViolation.self) { try await checkAll(loader) }
        #expect(violation.message.contains(sentence), "\(violation)")
    }

    @Test func soundPluginPasses() async throws { try await checkAll(SoundLoader()) }

    @Test func endlessLoadIsCaught() async throws {
        let loader = GoingOnForNobody()
        let violation = try await #require(throws: ContractViolation.self) {
            try await LoaderContract(loader).checkCancellation(of: SoundLoader.url, timeout: .milliseconds(50))
        }
        #expect(violation.message.contains("continues"), "\(violation)")
        loader.gate.open()
    }

    @Test func unsolicitedNotModifiedIsCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await LoaderContract(SayingNothingHasChanged()).checkRevalidation(of: SoundLoader.url)
        }
        #expect(violation.message.contains("nothing was stored"), "\(violation)")
    }

    @Test func unchangedVersionAfterAChangeIsCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await LoaderContract(KeepingItsVersion()).checkChange(of: SoundLoader.url) {}
        }
        #expect(violation.message.contains("has changed, and its version has not"), "\(violation)")
    }
}
