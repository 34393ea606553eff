import CPNG
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

struct PNGCancellationTests {
    /// Counts its calls, and stops at one of them.
    private final class Cancellation {
        let last: Int
        private(set) var count = 0

        init(stopAt last: Int) { self.last = last }

        func shouldStop() -> Bool {
            count += 1
            return count >= last
        }
    }

    @Test(
        .bug(id: "14.2"),
        arguments: ["fixed", "dynamic", "stored"].flatMap { [$0 + " blocks", $0 + " blocks, interlaced"] })
    func rowThatConsumesAllBytesStopsWhenCancelled(_ blocks: String) throws {
        let worst = try #require(WorstCase.all(of: .png).first { $0.name == "PNG of empty " + blocks })
        let cancellation = Cancellation(stopAt: 3)
        let code = read([UInt8](worst.data(byteCount: 1 << 19)), cancellation)
        #expect(code == CPNG_STOPPED)
        #expect((3...4).contains(cancellation.count), "a stopped read may check once more")
    }

    private func read(_ file: [UInt8], _ cancellation: Cancellation) -> Int {
        unsafe file.withUnsafeBufferPointer { bytes in
            let reader = unsafe cpng_reader_create(bytes.baseAddress, bytes.count)!
            defer { unsafe cpng_reader_destroy(reader) }
            // libpng calls back only while this function runs, which keeps the object alive.
            unsafe cpng_reader_set_is_stopped(
                reader, { unsafe Unmanaged<Cancellation>.fromOpaque($0!).takeUnretainedValue().shouldStop() ? 1 : 0 },
                Unmanaged.passUnretained(cancellation).toOpaque())
            var (header, passCount) = (unsafe cpng_header(), Int32(0))
            var code = unsafe cpng_read_header(reader, 2000, 2000, 0, &header)
            if code == CPNG_OK { code = unsafe cpng_start_rows(reader, &passCount) }
            var row = [UInt8](repeating: 0, count: 4000)
            while code == CPNG_OK || code == CPNG_AGAIN { code = unsafe cpng_read_row(reader, &row) }
            return Int(code)
        }
    }
}
