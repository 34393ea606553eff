@testable import DarkroomCore
import DarkroomTestKit
import Testing

struct ThumbnailFocusTests {
    @Test(arguments: [
        (Thumbnail.cover(4, 3), "cover"), (.cover(4, 3, focus: .center), "cover"),
        (.cover(4, 3, focus: .top), "cover,{0.500000,0.000000}"),
        (.cover(4, 3, focus: .init(x: 0.3, y: 0.7)), "cover,{0.300000,0.700000}"),
        (.cover(4, 3, focus: .init(x: .nan, y: 2)), "cover,{0.500000,1.000000}"),
        (.cover(4, 3, focus: .init(x: -1, y: .infinity), inLinearLight: true), "cover,{0.000000,1.000000},linear"),
        (.init(width: 4, height: 3, mode: .fit, focus: .top), "1"), (.fit(4, 3, inLinearLight: true), "1,linear"),
        (.init(width: 4, height: 3, mode: .stretch, focus: .left, inLinearLight: true), "0,linear"),
    ])
    func keyHasOnlyWhatDiffersFromTheDefault(thumbnail: Thumbnail, text: String) {
        #expect(thumbnail.description == "Thumbnail({4.000000,3.000000},\(text))")
    }

    @Test(arguments: [
        (Thumbnail.Focus.center, 3, 0), (.left, 0, 0), (.right, 7, 0), (.top, 3, 0), (.bottom, 3, 0),
        (.init(x: 0.3, y: 0.5), 1, 0), (.init(x: 0.05, y: 0.5), 0, 0), (.init(x: 0.95, y: 0), 7, 0),
    ])
    func areaIsCentredAtTheFocusWithinTheEdges(focus: Thumbnail.Focus, x: Int, y: Int) {
        let wide = PixelRectangle(x: x, y: y, width: 4, height: 5)
        #expect(focus.area(of: PixelSize(4, 5), in: PixelSize(11, 5)) == wide)
        let turned = Thumbnail.Focus(x: focus.y, y: focus.x)
        let high = PixelRectangle(x: y, y: x, width: 5, height: 4)
        #expect(turned.area(of: PixelSize(5, 4), in: PixelSize(5, 11)) == high)
    }
}
