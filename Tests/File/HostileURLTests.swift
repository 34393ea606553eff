import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomFile

/// Arbitrary text in file and data URLs.
@Suite(.bounded)
struct HostileURLTests {
    @Test func dataURLsAreDataOrAnError() {
        var mutator = TextMutator(
            ["data:image/png;base64,aGVsbG8=", "data:text/plain;charset=utf-8,a%20b#c", "DATA:;BASE64,aGVs%0AbG8%3D"],
            seed: 41)
        for _ in 0..<4000 {
            let text = mutator.next()
            let limit = mutator.below(8)
            do throws(ImageError) {
                #expect(try DataURL(text).data(byteLimit: limit).count <= limit)
            } catch {
                #expect([.invalidURL, .corrupt, .overLimit].contains(error.kind))
            }
        }
    }

    @Test(arguments: ["A", "=", "%41", "\n", ";", ",", "\u{301}"])
    func longDataURLsTakeLinearTime(_ unit: String) {
        let text = TextMutator.longText(repeating: unit)
        for start in ["data:;base64,", "data:,", "data:"] {
            if let data = try? DataURL(start + text).data(byteLimit: .max) { #expect(data.count <= text.utf8.count) }
        }
    }

    @Test func combiningMarkAfterTheCommaBelongsToTheData() throws {
        #expect(try DataURL("data:,\u{301}a").data(byteLimit: 9) == Data("\u{301}a".utf8))
        #expect(try DataURL("data:;base64\u{301},aGVs").data(byteLimit: 9) == Data("aGVs".utf8))
    }

    @Test func fileURLsArePathsOrAnError() {
        var mutator = TextMutator(
            ["file:///srv/a%20b.png", "file://localhost/%C3%A9", "file:a", "file://host/x"], seed: 42)
        for _ in 0..<4000 {
            guard let url = URL(string: mutator.next()) else { continue }
            do throws(ImageError) {
                let path = try FilePath(url).bytes
                #expect(path.first == UInt8(ascii: "/") && !path.contains(0))
            } catch {
                #expect(error.kind == .invalidURL)
            }
        }
    }

    @Test(arguments: [-1, 0, 1 << 20]) func pathThatTheSystemCannotOpenIsNotLookedUp(_ excess: Int) async throws {
        let byteCount = Int(PATH_MAX) + excess
        let path = TextMutator.longText(repeating: "/a", byteCount: byteCount)
        let url = try #require(URL(string: "file://" + path + String(repeating: "a", count: byteCount % 2)))
        let loader = FileLoader()
        #expect(loader.localVersion(of: url)?.read().hasPrefix("missing") == true)
        let error = await #expect(throws: ImageError.self) {
            _ = try await loader.load(LoadRequest(url: url, context: .init()))
        }
        #expect(error?.kind == .invalidURL)
        let sizes = "\(byteCount) bytes, and the limit is \(PATH_MAX - 1)"
        #expect(error?.message.contains(sizes) == (excess >= 0))
    }

    @Test func keysOfLongDataURLsAreShort() throws {
        let url = try #require(URL(string: "http://a/b"))
        var mutator = TextMutator(["data:image/png;base64," + String(repeating: "A", count: 300)], seed: 43)
        for _ in 0..<1000 {
            let text = mutator.next()
            let key = try #require(DataURLKeyFilter().key(for: url, soFar: text, context: .init()))
            #expect(key.utf8.count <= 256 || !text.isDataURL)
        }
    }
}
