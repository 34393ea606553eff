import Darkroom
import DarkroomTestKit
import Foundation
import InstalledCoders
import Testing

/// The coders that the traits of the package add to the command line.
struct InstalledCoderTests {
    private static let written = InstalledCoders.formats.filter { InstalledCoders.registry.encoder(for: $0) != nil }

    @Test(arguments: written)
    func installedFormatIsWrittenAndRead(_ format: ImageFormat) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.\(format.fileExtension)").path
            let run = try await darkroom(
                "load", Fixture.path("png-rgb-8.png"), "--thumbnail", "20x20", "--no-cache", "--output", file)
            #expect(run.status == 0)
            let info = try await darkroom("info", file, "--json")
            #expect(try info.objects.first?["format"] as? String == format.description)
            let named = try await darkroom(
                "load", file, "--no-cache", "--output", folder.path + "/", "--format", "png")
            #expect(named.status == 0)
            #expect(try folder.names.contains("a.png"))
        }
    }

    @Test func heicIsReadOnlyOnRequest() throws {
        func reads(_ plugin: InstalledCoders) throws -> Bool {
            try ImageManager { $0.install(plugin) }.coders.coders.contains { $0.formats.contains(.heic) }
        }
        #expect(try !reads(InstalledCoders()))
        #expect(try reads(InstalledCoders(readsHEIC: true)) == InstalledCoders.formats.contains(.heic))
    }
}
