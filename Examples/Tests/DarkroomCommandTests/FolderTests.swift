import DarkroomTestKit
import Foundation
import Testing

/// Folders as sources of `darkroom load`.
struct FolderTests {
    /// Creates `photos` in `folder`: two pictures, another file, a hidden one, and a folder with one picture in a folder.
    private func makePhotos(in folder: URL) throws -> String {
        let photos = folder.appending(path: "photos")
        for inner in ["", "b", "b/c"] {
            let directory = photos.appending(path: inner)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        let copies = [
            ("png-rgb-8.png", "2.png"), ("jpeg-420.jpg", "1.jpg"), ("jpeg-420.jpg", ".hidden.jpg"),
            ("png-rgb-8.png", "b/1.PNG"), ("gif-89a.gif", "b/c/3.gif"),
        ]
        for (fixture, name) in copies {
            try FileManager.default.copyItem(atPath: Fixture.path(fixture), toPath: "\(photos.path)/\(name)")
        }
        try Data("text".utf8).write(to: photos.appending(path: "notes.txt"))
        return photos.path
    }

    /// Returns the paths of the files in `folder`.
    private func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }.sorted()
    }

    @Test func picturesOfAFolderAreLoaded() async throws {
        try await withTemporaryDirectory { folder in
            let photos = try makePhotos(in: folder)
            let run = try await darkroom("load", "--no-cache", photos, "-o", folder.path + "/out", "-s", "9x")
            #expect(run.status == 0)
            #expect(
                run.errors
                    == "darkroom: \(photos): skipped 1 hidden file, 1 other file, 1 folder (see --recursive)\n")
            #expect(run.lines.count == 3 && run.lines.last?.hasPrefix("2 images, ") == true)
            #expect(try files(in: folder.path + "/out") == ["1.jpg", "2.png"])
        }
    }

    @Test(arguments: ["out", "photos/out", "photos/b/out/"]) func innerFoldersAreMirrored(output: String) async throws {
        try await withTemporaryDirectory { folder in
            let (photos, output) = (try makePhotos(in: folder), "\(folder.path)/\(output)")
            // The second time, the output exists, and is no input.
            for _ in 0..<2 {
                let run = try await darkroom("load", "--no-cache", "-r", photos, "-o", output, "--json")
                #expect(run.status == 0)
                #expect(try run.objects.count == 4)
                #expect(try files(in: output) == ["1.jpg", "2.png", "b/1.png", "b/c/3.gif"])
            }
        }
    }

    @Test func linksThatFormALoopAreListedOnce() async throws {
        try await withTemporaryDirectory { folder in
            let photos = try makePhotos(in: folder)
            for (link, target) in [
                ("b/up", photos), ("d", photos + "/b"), ("e", photos + "/none"), ("b/e.jpg", "e.jpg"),
            ] {
                try FileManager.default.createSymbolicLink(atPath: "\(photos)/\(link)", withDestinationPath: target)
            }
            let run = try await darkroom("load", "--no-cache", "-r", photos, "--json")
            #expect(run.status == 0)
            #expect(try run.objects.count == 4)
        }
    }

    @Test func outputsInTheFolderItselfNeedPermission() async throws {
        try await withTemporaryDirectory { folder in
            let photos = try makePhotos(in: folder)
            let before = try Data(contentsOf: URL(filePath: photos + "/1.jpg"))
            let arguments = ["load", "--no-cache", photos, "-o", photos, "-s", "9"]
            let run = try await darkroom(arguments)
            #expect(run.status == 1 && run.errors.contains("1.jpg is the source itself and would be overwritten"))
            #expect(try Data(contentsOf: URL(filePath: photos + "/1.jpg")) == before)
            #expect(try await darkroom(arguments + ["--in-place"]).status == 0)
            #expect(try Data(contentsOf: URL(filePath: photos + "/1.jpg")) != before)
        }
    }

    @Test func folderWithoutPicturesIsAnError() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await darkroom("load", "--no-cache", folder.path)
            #expect(run.status == 1 && run.errors.contains("the folder contains no pictures"))
        }
    }

    @Test(arguments: ["a.jpg", "-"]) func folderNeedsAFolder(output: String) async throws {
        try await withTemporaryDirectory { folder in
            let photos = try makePhotos(in: folder)
            let run = try await darkroom("load", photos, "-o", output == "-" ? "-" : "\(folder.path)/\(output)")
            #expect(run.status == 2)
        }
    }

    @Test func dryRunListsThePictures() async throws {
        try await withTemporaryDirectory { folder in
            let photos = try makePhotos(in: folder)
            let run = try await darkroom(
                "load", "--dry-run", "-r", photos, "-o", folder.path + "/out", "-f", "webp", "--json")
            #expect(
                try run.objects.compactMap { ($0["output"] as? String)?.dropFirst(folder.path.count) } == [
                    "/out/1.webp", "/out/2.webp", "/out/b/1.webp", "/out/b/c/3.webp",
                ])
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"))
        }
    }
}
