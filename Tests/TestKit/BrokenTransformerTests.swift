import DarkroomCore
import DarkroomTestKit
import Testing

/// The kit tells what is wrong with each broken transformer, and finds nothing wrong with a sound one.
@Suite struct BrokenTransformerTests {
    static let transformers: [(sentence: String, transformer: any ImageTransformer)] = [
        ("equal pictures become different ones", TransformingAtRandom()),
        ("another transformer has the same identifier, Inverting", ForgettingItsParameter(amount: 1)),
        ("and then", ChangingItsName()),
        ("its identifier is empty", HavingNoName()),
        ("promises a thumbnail of", PromisingAnotherSize()),
        ("promises at most the pixels of", PromisingFewerPixels()),
        ("it changes the picture that it is given", ChangingItsInput()),
        ("has no alpha, but clear pixels", ClearWithoutAlpha()),
        ("it goes on to the end", TransformingForNobody()),
        ("equal pictures become different ones", RememberingFrames()),
        ("frame 0 becomes", CuttingEachFrame()),
        ("an error that is not an ImageError", FailingAtSmallPictures()),
    ]

    @Test(arguments: transformers.indices) func isCaught(_ index: Int) throws {
        let (sentence, transformer) = Self.transformers[index]
        let violation = try #require(throws: ContractViolation.self) {
            try TransformerContract(transformer).checkAll(others: Self.others(than: transformer))
        }
        #expect(violation.message.contains(sentence), "\(violation)")
    }

    @Test func dependentFramesAreCaught() throws {
        let violation = try #require(throws: ContractViolation.self) {
            try TransformerContract(RememberingFrames()).checkFrames()
        }
        #expect(violation.message.contains("resolved for a first frame, it returns another image"), "\(violation)")
    }

    private static func others(than transformer: any ImageTransformer) -> [any ImageTransformer] {
        transformer is ForgettingItsParameter ? [ForgettingItsParameter(amount: 2)] : []
    }

    @Test func soundPluginPasses() throws { try TransformerContract(SoundTransformer()).checkAll() }
}
