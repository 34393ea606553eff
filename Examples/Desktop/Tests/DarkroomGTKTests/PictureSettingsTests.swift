import DarkroomCore
@testable import DarkroomGTK
import Testing

struct PictureSettingsTests {
    @Test(arguments: [
        (PictureSettings.ContentFit.contain, 1, Thumbnail.fit(180, 120)),
        (.contain, 2, .fit(360, 240)),
        (.scaleDown, 2, .fit(360, 240)),
        (.cover, 3, .cover(540, 360)),
        (.fill, 1, .stretch(180, 120)),
    ])
    func thumbnailHasThePixelsOfTheMonitor(fit: PictureSettings.ContentFit, scale: Int, thumbnail: Thumbnail) {
        let settings = PictureSettings {
            $0.size = (180, 120)
            $0.contentFit = fit
        }
        #expect(settings.context(scale: scale).thumbnail == thumbnail)
    }

    @Test func pictureWithoutASizeIsNotReduced() {
        let settings = PictureSettings { $0.context.deliversPreviews = true }
        #expect(settings.context(scale: 2).thumbnail == nil)
        #expect(settings.context(scale: 2).deliversPreviews)
    }
}
