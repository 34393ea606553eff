import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import TestSupport
import Testing

@testable import DarkroomIsolation

/// Foreign profiles, which no colour engine reads in this process.
@Suite(.bounded, .withoutThreadSanitizer) struct ProfileTests {
    /// A profile that libpng considers broken.
    private static let profile = Data(count: 16) + Data("RGB ".utf8) + Data(count: 1_480)

    private func animation(_ profile: Data?) throws -> Image {
        let frames = (0..<2).map { Frame(.testCard(40, 30, number: $0), duration: .milliseconds(100)) }
        var image = try #require(Image(frames: frames))
        image.metadata.iccProfile = profile
        return image
    }

    /// An animation is encoded in this process.
    @Test(arguments: [ImageFormat.png, .webp, .gif])
    func profileOfAnAnimationIsNotRead(_ format: ImageFormat) throws {
        var coders = try TestEnvironment.standard.pool.coders
        coders.colorConverter = ForbiddenConverter()
        let image = try animation(Self.profile)
        // For fewer bytes than twice those of the profile, a WebP would be converted.
        let context = ImageContext { $0.encodedByteLimit = format == .webp ? 2_900 : nil }
        if format == .gif {
            let error = #expect(throws: ImageError.self) { try coders.encode(image, as: format, context: context) }
            #expect(error?.kind == .unsupported)
        } else {
            let info = try coders.info(of: coders.encode(image, as: format, context: context))
            #expect(info.frameCount == 2 && info.iccProfile == (format == .webp ? Self.profile : nil))
        }
    }

    @Test func animationInASpaceOfOurOwnIsConverted() throws {
        let image = try animation(OutputColorSpace.displayP3.iccProfile)
        let file = try TestEnvironment.standard.pool.coders.encode(image, as: .gif)
        #expect(try file == localCoders.encode(image, as: .gif))
    }

    /// A worker that was taken over says that the pixels have the profile of the file.
    @Test(arguments: [false, true]) func profileThatNobodyKeepsIsRefused(_ isKept: Bool) throws {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.iccProfile = Self.profile
        let context = ImageContext { $0.keepsProfile = isKept }
        let request = DecodeRequest(data: Data(), info: info, context: context, colorConverter: ForbiddenConverter())
        #expect(request.permits(.ofFile) == isKept)
        var finished = FinishedBitmap(.testCard(1, 1))
        finished.profile = .ofFile
        let delivered = EarlyBitmap(finished, Remarks()).take(for: request)
        #expect((delivered != nil) == isKept)
    }

    @Test(arguments: OutputColorSpace.allCases) func onlyTheSpaceOfTheRequestIsPermitted(_ space: OutputColorSpace) {
        let info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        let request = DecodeRequest(data: Data(), info: info, context: ImageContext { $0.colorSpace = space })
        #expect(request.permits(.none))
        #expect(OutputColorSpace.allCases.filter { request.permits(.space($0)) } == [space])
    }
}

/// A colour engine that must not get any profile.
private struct ForbiddenConverter: ColorConverter {
    func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)? {
        Issue.record("the profile of a stranger is read")
        return nil
    }
}
