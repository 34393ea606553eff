import DarkroomTestKit
import Foundation
import Testing

struct DemoTests {
    @Test(.bug(id: "demo-second-load-from-disk"))
    func everyStepEndsAsItSays() async throws {
        try await withTemporaryDirectory { folder in
            let (pictures, output) = (folder.appending(path: "pictures"), folder.appending(path: "output"))
            try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: false)
            let names = ["gif-89a.gif", "jpeg-420.jpg", "png-rgb-8.png", "webp-lossy.webp"]
            for name in names {
                try FileManager.default.copyItem(atPath: Fixture.path(name), toPath: "\(pictures.path)/\(name)")
            }
            let paths = [Process.built("darkroom"), pictures, output].map(\.path)
            let run = try await darkroom(paths, command: "darkroom-demo")
            #expect(run.errors == "")
            #expect(run.status == 0)
            let stems = names.map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
            #expect(try output.names.map { URL(filePath: $0).deletingPathExtension().lastPathComponent } == stems)
        }
    }
}
