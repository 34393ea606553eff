import DarkroomCore
@testable import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import Testing

struct GIFReaderTests {
    private let data: Data

    /// Reads a frame of 256×256 pixels in which half a MiB of codes produces no pixels.
    init() throws {
        let worst = try #require(WorstCase.all(of: .gif).first { $0.name == "GIF of clear codes" })
        data = worst.data(byteCount: 1 << 19)
    }

    private func draw(_ checkCancellation: @escaping () throws -> Void) throws {
        let frame = try #require(try GIFOutline(InfoRequest(data: data)).frames.first)
        let reader = GIFReader(data, frame: frame, decompressor: try GIFDecompressor())
        _ = try Bitmap(frame.area.size, hasAlpha: true) { pixels in
            let defect = try reader.draw(on: &pixels, area: frame.area, checkCancellation: checkCancellation)
            #expect(defect == .incomplete)
        }
    }

    @Test(.bug(id: "14.2"))
    func rowThatConsumesAllBytesChecksForCancellation() throws {
        var count = 0
        try draw { count += 1 }
        #expect((7...9).contains(count), "it checks every 64 KiB, not \(count) times")
    }

    @Test(.bug(id: "14.2"))
    func rowThatConsumesAllBytesStopsWhenCancelled() {
        var count = 0
        let error = #expect(throws: ImageError.self) {
            try draw {
                count += 1
                if count == 3 { throw ImageError.cancelled }
            }
        }
        #expect(error?.kind == .cancelled)
        #expect(count == 3)
    }
}
