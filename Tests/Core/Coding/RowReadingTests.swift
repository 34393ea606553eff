import DarkroomCore
import FoundationEssentials
import TestSupport
import Testing

struct RowReadingTests {
    private let picture = Bitmap(20, 12, hasAlpha: true) { x, y in
        Color(red: UInt8(x * 12), green: UInt8(y * 20), blue: 77, alpha: UInt8(255 - x))
    }

    @Test(arguments: [PixelSize(20, 12), PixelSize(7, 5), PixelSize(1, 1), PixelSize(20, 3)])
    func rowByRowResizingMatchesResizingTheWholeBitmap(target: PixelSize) throws {
        let bitmap = try decode(request(target: target))
        #expect(try bitmap == picture.resized(to: target))
    }

    @Test(arguments: [PixelSize(20, 12), PixelSize(7, 5)])
    func failingRowEndsTheDecode(target: PixelSize) {
        var rowCount = 0
        #expect(throws: CancellationError.self) {
            try request(target: target).bitmap { _ in
                rowCount += 1
                if rowCount == 3 { throw CancellationError() }
            }
        }
        #expect(rowCount == 3)
    }

    @Test(arguments: [PixelSize(20, 12), PixelSize(7, 5)])
    func cancellationStopsReadingRows(target: PixelSize) {
        let flag = CancellationFlag()
        var rowCount = 0
        let error = #expect(throws: ImageError.self) {
            try request(target: target, cancellation: flag).bitmap { _ in
                rowCount += 1
                flag.set()
            }
        }
        #expect(error?.kind == .cancelled)
        #expect(rowCount == 1)
    }

    @Test(arguments: [PixelSize(0, 5), PixelSize(-1, 1), PixelSize(.max, .max), PixelSize(100_000, 100_000)])
    func limitsAreCheckedBeforeAnyRow(stored: PixelSize) {
        for target in [stored, PixelSize(1, 1)] {
            #expect(throws: ImageError.self) {
                try request(stored: stored, target: target).bitmap { _ in Issue.record("it asked for a row") }
            }
        }
    }

    private func request(
        stored: PixelSize = PixelSize(20, 12), target: PixelSize, cancellation: CancellationFlag? = nil
    ) -> DecodeRequest {
        var info = ImageInfo(format: .png, storedSize: stored)
        info.hasAlpha = true
        return DecodeRequest(data: Data(), info: info, target: target, cancellation: cancellation)
    }

    private func decode(_ request: DecodeRequest) throws -> Bitmap {
        var y = 0
        return try request.bitmap { row in
            let bytes = picture.bytes[(y * 80)..<(y * 80 + 80)]
            for (index, byte) in bytes.enumerated() { row[index] = byte }
            y += 1
        }
    }
}
