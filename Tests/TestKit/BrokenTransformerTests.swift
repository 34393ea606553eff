import DarkroomCore
import DarkroomTestKit
import Testing

/// The contract catches the defect of each broken transformer, and accepts a transformer without a defect.
@Suite struct BrokenTransformerTests {
    static let transformers: [(sentence: String, transformer: any ImageTransformer)] = [
        ("equal inputs have different results", RandomTransformer()),
        ("another transformer has the same identifier, Inverting", ParameterOmittingTransformer(amount: 1)),
        ("its identifier changes from", ChangingIdentifierTransformer()),
        ("its identifier is empty", EmptyIdentifierTransformer()),
        ("but its thumbnail would be", WrongThumbnailTransformer()),
        ("for a reduced copy of", CopyDependentTransformer()),
        ("which is larger than the declared", UnderstatedSizeTransformer()),
        ("it changes its input", InputMutatingTransformer()),
        ("has no alpha, but transparent pixels", ClearPixelTransformer()),
        ("it ignores cancellation", CancellationIgnoringTransformer()),
        ("equal inputs have different results", StatefulTransformer()),
        ("the result for frame 0 is", FrameCroppingTransformer()),
        ("an error that is not an ImageError", SmallImageFailingTransformer()),
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
            try TransformerContract(StatefulTransformer()).checkFrames()
        }
        #expect(violation.message.contains("resolved for a first frame, it returns another result"), "\(violation)")
    }

    private static func others(than transformer: any ImageTransformer) -> [any ImageTransformer] {
        transformer is ParameterOmittingTransformer ? [ParameterOmittingTransformer(amount: 2)] : []
    }

    @Test func soundPluginPasses() throws { try TransformerContract(SoundTransformer()).checkAll() }
}
