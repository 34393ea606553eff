import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// The options of encoders in paths.
@Suite(.bounded)
struct EncodingStepsTests {
    private func context(_ text: String) throws -> ImageContext {
        let parser = try OptionParser(ThumbnailSettings(), coders: CoderRegistry())
        let options = try parser.options(in: text)
        return ImageContext { options.encoding.apply(to: &$0) }
    }

    @Test func stepsSetTheOptionsOfEncoders() throws {
        let context = try context(
            "bytes:20000+keep:copyright.icc+keep:exif+color-space:p3+progressive+subsampling:422+nearLossless:60+sharpYUV:no"
        )
        #expect(context.encodedByteLimit == 20_000 && context.keptMetadata == [.copyright, .exif])
        #expect(context.keepsProfile && context.colorSpace == .displayP3)
        #expect(context.writesProgressiveJPEG && context.jpegSubsampling == .chroma422)
        #expect(context.webPOptions.nearLosslessLevel == 60 && context.webPOptions.usesSharpYUV == false)
        #expect(try self.context("lossless+sharpYUV").writesLosslessWebP)
        #expect(try self.context("sharpYUV").webPOptions.usesSharpYUV == true)
    }

    /// Cached files of paths without them are still found.
    @Test func withoutStepsNothingIsSet() throws {
        #expect("\(try context("resize:10x10+quality:80"))" == "\(ImageContext())")
        #expect("\(try context("colorSpace:srgb+subsampling:auto"))" == "\(ImageContext())")
    }

    @Test(arguments: EncodingSteps.forms.map(\.example))
    func examplesAreValid(_ example: String) throws {
        #expect("\(try context(example))" != "\(ImageContext())")
    }

    @Test(arguments: [
        "bytes:0", "bytes:1.5", "bytes:1e99", "bytes", "keep:gps", "keep", "colorSpace:cmyk", "subsampling:411",
        "nearLossless:101", "nearLossless:-1", "progressive:1", "sharpYUV:maybe",
    ])
    func invalidStepsAreErrors(_ text: String) {
        #expect(throws: ImageError.self) { try context(text) }
    }

    @Test func fileIsWithinTheLimit() async throws {
        try await TestServer().run { client, _ in
            func byteCount(_ options: String) async throws -> Int {
                let response = try await client.execute(
                    uri: "/insecure/\(options)/sample%2Fjpeg-420.jpg", method: .get)
                #expect(response.status == .ok)
                return response.data.count
            }
            for format in ["jpeg", "webp"] {
                let wanted = try await byteCount("format:\(format)+quality:60")
                #expect(try await byteCount("format:\(format)+quality:60+bytes:1000000") == wanted)
                #expect(try await byteCount("format:\(format)+quality:60+bytes:\(wanted - 50)") <= wanted - 50)
            }
        }
    }
}
