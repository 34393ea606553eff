import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import GeneratedPictures
import Testing

struct GeneratedPictureTests {
    @Test(arguments: GeneratedPicture.Style.allCases, [0, 3, 5, 12, 4999])
    func pathLeadsToThePicture(style: GeneratedPicture.Style, index: Int) {
        let picture = GeneratedPicture(style, index)
        #expect(GeneratedPicture(path: picture.path) == picture)
    }

    @Test(arguments: ["", "/", "/photo", "/photo/", "/photo/x.jpg", "/photo/-1.jpg", "/other/1.jpg", "/photo/1/2.jpg"])
    func otherPathsLeadNowhere(path: String) { #expect(GeneratedPicture(path: path) == nil) }

    @Test(arguments: [0, 3, 255, 256, 513, 4999, 59_999, 59_997])
    func everyFrameEncodesTheNumber(index: Int) throws {
        let file = try #require(try GeneratedPicture(.coded, index).file())
        let image = try CoderRegistry([GIFCoder(), PNGCoder()]).decode(
            file, context: ImageContext { $0.thumbnail = .fit(180, 120) })
        #expect(GeneratedPicture.index(codedIn: image.bitmap) == index)
        for frame in try image.animation?.frames() ?? [] {
            #expect(GeneratedPicture.index(codedIn: frame.bitmap) == index)
        }
        #expect((image.animation != nil) == (GeneratedPicture(.coded, index).kind == .animation))
    }

    @Test func missingPictureHasNoFile() throws { #expect(try GeneratedPicture(.photo, 5).file() == nil) }

    @Test func landscapeIsAProgressivePhotograph() throws {
        let file = try #require(try GeneratedPicture(.photo, 1).file())
        let image = try CoderRegistry([JPEGCoder()]).decode(file)
        #expect(image.size == PixelSize(960, 640))
    }
}
