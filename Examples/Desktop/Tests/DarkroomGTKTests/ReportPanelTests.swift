import CGTK
import DarkroomCore
import DarkroomGTK
import DarkroomPNG
import DarkroomTestKit
import Foundation
import GeneratedPictures
@testable import PhotoWall
import Testing

extension DisplayTests {
    @MainActor
    struct ReportPanelTests {
        private let panel = ReportPanel()

        /// A data URL of 1 MiB, whose layout would take more than a second.
        @Test func longURLAndKeyAreShownInPart() async throws {
            let file = try #require(try GeneratedPicture(.coded, 1).file())
            let manager = try ImageManager {
                $0.install(FakeLoader(file))
                $0.coders.register(PNGCoder())
            }
            let picture = RemotePicture(manager)
            let (window, row) = (gtk_window_new()!, gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)!)
            defer { gtk_window_destroy(window.cast()) }
            gtk_box_append(row.cast(), picture.widget)
            gtk_box_append(row.cast(), panel.widget)
            gtk_window_set_child(window.cast(), row)
            let ended = Recorder<Bool>()
            picture.onEnd = { ended.note((try? $0.get()) != nil) }
            picture.load(URL(string: "data:image/png," + String(repeating: "a", count: 1 << 20)))
            panel.show(picture)
            #expect(text.hasPrefix("data:image/png,aaaa") && text.hasSuffix("aaaa…\nloading"))
            #expect(text.count < 600)
            await ended.waitForValues(1)
            panel.show(picture)
            #expect(ended.values == [true] && text.contains("\nkey data:"))
            #expect(text.count < 3000)
        }

        private var text: String { String(cString: gtk_label_get_text(panel.label)) }
    }
}
