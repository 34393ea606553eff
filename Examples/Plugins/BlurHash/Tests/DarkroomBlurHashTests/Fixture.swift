import DarkroomCore
import DarkroomPNG
import Foundation
import Testing

/// A file in the folder `Fixtures`, and the result of decoding it with another program.
struct Fixture: CustomTestStringConvertible {
    let name: String
    let data: Data
    let expected: Bitmap

    var testDescription: String { name }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// All files with this extension, each accompanied by a PNG with the same name.
    static func all(_ fileExtension: String) throws -> [Fixture] {
        let fixtures = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == fileExtension }
            .map { file in
                let reference = file.deletingPathExtension().appendingPathExtension("png")
                return Fixture(
                    name: file.lastPathComponent, data: try Data(contentsOf: file),
                    expected: try CoderRegistry([PNGCoder()]).decode(try Data(contentsOf: reference)).bitmap)
            }
        precondition(!fixtures.isEmpty, "there are no fixtures in \(folder.path())")
        return fixtures
    }

    /// Returns the bytes of a reference image that does not share a file's name.
    static func reference(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// The file with this name.
    static func named(_ name: String) throws -> Fixture {
        guard let fixture = try all(URL(filePath: name).pathExtension).first(where: { $0.name == name }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return fixture
    }
}

extension Bitmap {
    /// Returns the largest difference of any channel of any pixel, with colours weighted by alpha; 256 when the sizes
    /// differ.
    func difference(to other: Bitmap) -> Int {
        guard size == other.size else { return 256 }
        return withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) { most, index in
                    func value(_ pixels: Span<UInt8>) -> Int {
                        index % 4 == 3 ? Int(pixels[index]) : Int(pixels[index]) * Int(pixels[index | 3]) / 255
                    }
                    return max(most, abs(value(left) - value(right)))
                }
            }
        }
    }
}
