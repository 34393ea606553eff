import CGTK
import DarkroomCore
import DarkroomGTK

// Checks of a window that does not scroll.
extension WallCheck {
    /// Compares the drawn window with the positions of its cells.
    func checkPixels(of wall: PhotoWall) async throws {
        guard let pixels = await WindowPixels.bitmap(of: wall.window) else {
            throw WallFailure("the window has no pixels")
        }
        var count = 0
        for (position, picture) in wall.grid.cells.visiblePictures where picture.shownBitmap != nil {
            var place = graphene_rect_t()
            guard gtk_widget_compute_bounds(picture.widget, wall.window, &place) != 0 else { continue }
            let (x, y) = (place.origin.x + place.size.width / 2, place.origin.y + place.size.height / 2)
            guard y < Float(pixels.size.height - 60), y > 60, let color = pixels.color(x: Int(x), y: Int(y)),
                let dot = try? Bitmap(PixelSize(1, 1), bytes: [color.red, color.green, color.blue, 255])
            else { continue }
            count += 1
            let drawn = index(dot)
            if drawn != position { fail("picture \(drawn.map(String.init) ?? "none") is drawn in cell \(position)") }
        }
        if count == 0 { fail("no picture is drawn in the window") }
        print("\(count) pictures of the drawn window compared")
    }

    /// Checks that an animation plays.
    func checkAnimations(of wall: PhotoWall) {
        let playing = wall.grid.cells.visiblePictures.values.count { $0.isPlaying }
        print("\(playing) animations play")
        if playing == 0 { fail("no animation plays") }
    }

    /// Hides the window and shows it again.
    func checkHiding(of wall: PhotoWall) async {
        gtk_widget_set_visible(wall.window, 0)
        if wall.grid.cells.visiblePictures.values.contains(where: \.isPlaying) {
            fail("an animation plays in a hidden window")
        }
        gtk_widget_set_visible(wall.window, 1)
        await Frames(widget: wall.window).until(within: 300) {
            wall.grid.cells.visiblePictures.values.contains(where: \.isPlaying)
        }
        checkAnimations(of: wall)
    }

    /// Changes the scale of the display and back, as if the window moved to another monitor.
    func checkScale(of wall: PhotoWall) async {
        for scale in [2, 1] {
            let before = wall.shownCount
            guard darkroom_set_display_scale(gint(scale)) != 0 else { return print("the scale cannot be changed") }
            if wall.shownCount < before { fail("a picture was not kept until that of scale \(scale) had loaded") }
            await Frames(widget: wall.window).until { [manager] in
                wall.isLoaded && !manager.isRunning && gtk_widget_get_scale_factor(wall.window) == gint(scale)
            }
            let sizes = Set(wall.grid.cells.visiblePictures.values.compactMap { $0.shownBitmap?.size })
            print(
                "\(wall.shownCount) pictures on screen at scale \(scale): "
                    + sizes.map(\.description).joined(separator: ", "))
            if sizes != [PixelSize(180 * scale, 120 * scale)] { fail("a picture has not the pixels of scale \(scale)") }
        }
    }
}

extension PhotoWall {
    /// The number of pictures on screen that show something.
    fileprivate var shownCount: Int { grid.cells.visiblePictures.values.count { $0.shownBitmap != nil } }
}
