import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

/// The coders of this package fulfil their contract.
@Suite struct SoundCoderTests {
    static let coders: [any ImageCoder] = [PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder(), PlainCoder()]

    @Test(arguments: coders.indices) func refusalsAndEncodingPass(_ index: Int) throws {
        let contract = CoderContract(Self.coders[index])
        try contract.checkRefusals()
        try contract.checkEncoding()
    }

    @Test(arguments: [
        "animated/apng-first-smaller.png", "jpeg-progressive-420.jpg", "gif-animated.gif", "webp-animated.webp",
    ])
    func filesFulfilTheContract(_ name: String) throws {
        let data = Fixture(name).data
        let coder = try CoderRegistry(Self.coders).coder(for: data)
        try CoderContract(coder).checkFile(data)
    }

    /// Cancellation and the time limit hold for a single row as well.
    @Test(arguments: [
        "png-1x1.png", "png-adam7-3x5.png", "jpeg-1x1.jpg", "gif-1x1.gif", "webp-lossless-1x1.webp",
        "webp-lossy-1x1.webp",
    ])
    func smallFilesFulfilTheContract(_ name: String) throws {
        let data = Fixture(name).data
        try CoderContract(try CoderRegistry(Self.coders).coder(for: data)).checkFile(data, named: name)
    }

    @Test func plainFilePasses() throws {
        try CoderContract(PlainCoder()).checkFile(PlainCoder.file(of: .testCard(20, 18, hasAlpha: true)))
    }
}
