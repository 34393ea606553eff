import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

@Suite struct FixtureFolderTests {
    @Test func folderThatMatchesNothingIsAViolation() throws {
        let folder = try TemporaryDirectory()
        let fixtures = FixtureFolder(folder.url)
        #expect(fixtures.isEmpty)
        _ = try folder.write(Data(), to: "README.md")
        #expect(fixtures.isEmpty)
        _ = try folder.write(Data(), to: "cat.tgaa")
        #expect(!fixtures.isEmpty)
        let violation = try #require(throws: ContractViolation.self) { try fixtures.files(withExtension: "tga") }
        #expect("\(violation)" == "FixtureFolder: \(folder.url.path): there are no files with the extension .tga")
        _ = try folder.write(Data(), to: "b.tga")
        _ = try folder.write(Data(), to: "a.tga")
        #expect(try fixtures.files(withExtension: "tga").map(\.lastPathComponent) == ["a.tga", "b.tga"])
    }

    @Test func missingFolderIsAViolation() throws {
        let fixtures = FixtureFolder(URL(filePath: "/no/such"))
        #expect(!fixtures.isEmpty)
        #expect(throws: ContractViolation.self) { try fixtures.files(withExtension: "tga") }
    }

    @Test func fixtureHasTheReferenceImageOfItsName() throws {
        let folder = try TemporaryDirectory()
        let bitmap = try Bitmap(PixelSize(2, 1), hasAlpha: true) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(index * 30) }
        }
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Fixtures"), withIntermediateDirectories: true)
        for name in ["b.qoi", "a.qoi"] { _ = try folder.write(Data(name.utf8), to: "Fixtures/\(name)") }
        _ = try folder.write(PlainCoder.file(of: bitmap), to: "Fixtures/a.plain")
        let fixtures = FixtureFolder(beside: folder.url.appending(path: "SomeTests.swift").path)
        let fixture = try fixtures.fixture("a.qoi", references: PlainCoder())
        #expect(fixture.data == Data("a.qoi".utf8) && fixture.expected == bitmap && "\(fixture)" == "a.qoi")
        #expect(throws: (any Error).self) { try fixtures.fixtures(withExtension: "qoi", references: PlainCoder()) }
        _ = try folder.write(PlainCoder.file(of: bitmap), to: "Fixtures/b.plain")
        #expect(
            try fixtures.fixtures(withExtension: "qoi", references: PlainCoder()).map(\.name) == ["a.qoi", "b.qoi"])
    }

    @Test func coloursOfAlmostTransparentPixelsAreNoVisibleDifference() throws {
        func bitmap(_ values: [UInt8], size: PixelSize = PixelSize(1, 1)) throws -> Bitmap {
            try Bitmap(size, hasAlpha: true) { pixels in
                for index in pixels.indices { pixels[index] = values[index % 4] }
            }
        }
        let (dark, light) = (try bitmap([0, 0, 0, 1]), try bitmap([200, 100, 0, 1]))
        #expect(dark.largestDifference(to: light) == 200 && dark.largestVisibleDifference(to: light) == 0)
        #expect(dark.meanDifference(to: light) == 75)
        let (half, opaque) = (try bitmap([200, 0, 0, 51]), try bitmap([200, 0, 0, 255]))
        #expect(half.largestVisibleDifference(to: opaque) == 204)
        #expect(try dark.largestVisibleDifference(to: bitmap([0, 0, 0, 1], size: PixelSize(2, 1))) == 256)
        #expect(try dark.meanDifference(to: bitmap([0, 0, 0, 1], size: PixelSize(2, 1))) == 256)
    }
}
