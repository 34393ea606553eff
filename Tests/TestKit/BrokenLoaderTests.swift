import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The contract catches the defect of each broken loader, and accepts a loader without a defect.
@Suite struct BrokenLoaderTests {
    static let loaders: [(sentence: String, loader: any ImageLoader)] = [
        ("after a later one", MilestoneReversingLoader()),
        ("6000 bytes are announced, but 3000 arrive", OverstatedLengthLoader()),
        ("it returns 3000 bytes at once, but the limit is 2999", LimitIgnoringLoader()),
        ("returns 2000 bytes that are not the 3000 expected", TruncatingLoader()),
        ("which is foreign", AnyURLLoader()),
        ("ends in an error that is not an ImageError", ForeignErrorLoader()),
        ("should fail, but is loaded", NeverFailingLoader()),
        ("changes although nothing else does", ChangingVersionLoader()),
        ("returns no bytes", AlwaysNotModifiedLoader()), ("but its check refuses it", SelfRefusingLoader()),
        ("does not accept its own response", SelfRejectingLoader()),
        ("does not permit it from a cache", RouteOmittingLoader()),
        ("contains a user or a password", CredentialLeakingLoader()),
        ("UndeclaredQuality, whose effect is nothing", OptionReadingLoader()),
        ("ThumbnailKey, whose effect is result", SizeReadingLoader()),
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

    @Test func keyThatIsNegotiatedMayBeRead() async throws {
        let contract = LoaderContract(
            OptionReadingLoader(), negotiatedKeys: [OptionReadingLoader.UndeclaredQuality.self])
        try await contract.checkOptions(of: SoundLoader.url)
    }

    @Test func endlessLoadIsCaught() async throws {
        let loader = CancellationIgnoringLoader()
        let violation = try await #require(throws: ContractViolation.self) {
            try await LoaderContract(loader).checkCancellation(of: SoundLoader.url, timeout: .milliseconds(50))
        }
        #expect(violation.message.contains("continues"), "\(violation)")
        loader.gate.open()
    }

    @Test func unsolicitedNotModifiedIsCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await LoaderContract(AlwaysNotModifiedLoader()).checkRevalidation(of: SoundLoader.url)
        }
        #expect(violation.message.contains("nothing was stored"), "\(violation)")
    }

    @Test func unchangedVersionAfterAChangeIsCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await LoaderContract(ConstantVersionLoader()).checkChange(of: SoundLoader.url) {}
        }
        #expect(violation.message.contains("has changed, but its version has not"), "\(violation)")
    }
}
