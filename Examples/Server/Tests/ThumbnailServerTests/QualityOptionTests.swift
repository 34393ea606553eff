import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

@testable import ThumbnailServer

@Suite(.bounded)
struct QualityOptionTests {
    private let parser: OptionParser

    init() throws {
        var settings = ThumbnailSettings()
        settings.presets["small"] = "quality:auto,70"
        parser = try OptionParser(settings, coders: CoderRegistry())
    }

    @Test(
        arguments: [
            ("quality:75", .fixed(0.75)), ("quality:auto", .target(.high)),
            ("quality:auto,75.5", .target(.score(75.5))),
            ("quality:auto+quality:60", .fixed(0.6)), ("quality:60+quality:auto", .target(.high)),
            ("preset:small", .target(.score(70))), ("blur:2", nil),
        ] as [(String, FileQuality?)])
    func qualityIsANumberOrATarget(text: String, quality: FileQuality?) throws {
        #expect(try parser.options(in: text).quality == quality)
    }

    @Test(arguments: ["0", "101", "75,80", "Auto", "auto,101", "auto,x", "auto,80,1", "", "nan"])
    func otherQualitiesAreRefused(text: String) {
        #expect(throws: ImageError.self) { try parser.options(in: "quality:\(text)") }
    }

    @Test(
        arguments: [
            ("75", .fixed(0.75)), ("72.5", .fixed(0.725)), ("auto", .target(.high)), ("auto:0", .target(.score(0))),
        ] as [(String, FileQuality)])
    func settingHasTheNotationOfTheCommandLine(text: String, quality: FileQuality) {
        #expect(FileQuality(text) == quality)
    }

    @Test(arguments: [
        "0", "101", "75:80", "Auto", "auto:101", "auto:x", "auto:80:1", "", "nan", "auto:", ":", "auto :75", "75:",
        "auto:-1", "auto,75", "\u{300}auto", "auto:75\u{301}",
    ])
    func otherSettingsAreInvalid(text: String) { #expect(FileQuality(text) == nil) }

    /// Files of servers with one folder and different settings are cached apart. The path precedes the setting.
    @Test func qualityIsPartOfTheKeyOfAFile() async throws {
        try await withTemporaryDirectory { folder in
            func file(_ quality: FileQuality, _ options: String = "") async throws -> Data {
                try await Self.file(of: TestServer(folder: folder) { $0.quality = quality }, options)
            }
            let fixed = try await file(.fixed(0.1))
            let (high, low) = (try await file(.target(.score(85))), try await file(.target(.score(60))))
            #expect(fixed.count < low.count && low.count < high.count)
            #expect(try await file(.fixed(0.1)) == fixed)
            #expect(try await file(.target(.high), "quality:10+") == fixed)
            #expect(try await file(.fixed(0.1), "quality:auto,60+") == low)
        }
    }

    private static func file(of server: TestServer, _ options: String) async throws -> Data {
        let body = Mutex(Data())
        try await server.run { client, _ in
            let response = try await client.execute(
                uri: "/insecure/\(options)resize:175x105/sample%2Fjpeg-420.jpg", method: .get)
            #expect(response.status == .ok, "\(response.text)")
            body.withLock { $0 = response.data }
        }
        return body.withLock(\.self)
    }
}
