import CPNG
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

struct PNGWatchTests {
    /// Counts the questions, and answers one of them with a stop.
    private final class Watch {
        let last: Int
        private(set) var count = 0

        init(stopAt last: Int) { self.last = last }

        func asks() -> Bool {
            count += 1
            return count >= last
        }
    }

    @Test(
        .bug(id: "14.2"),
        arguments: ["fixed", "dynamic", "stored"].flatMap { [$0 + " blocks", $0 + " blocks, interlaced"] })
    func rowThatTakesAllBytesStopsWhenItIsToldTo(_ blocks: String) throws {
        let worst = try #require(WorstCase.all(of: .png).first { $0.name == "PNG of empty " + blocks })
        let watch = Watch(stopAt: 3)
        let code = read([UInt8](worst.data(byteCount: 1 << 19)), watch)
        #expect(code == CPNG_STOPPED)
        #expect((3...4).contains(watch.count), "what has stopped may be asked once more")
    }

    private func read(_ file: [UInt8], _ watch: Watch) -> Int {
        unsafe file.withUnsafeBufferPointer { bytes in
            let reader = unsafe cpng_reader_create(bytes.baseAddress, bytes.count)!
            defer { unsafe cpng_reader_destroy(reader) }
            // libpng asks the watch only while this function runs, which keeps it alive.
            unsafe cpng_reader_watch(
                reader, { unsafe Unmanaged<Watch>.fromOpaque($0!).takeUnretainedValue().asks() ? 1 : 0 },
                Unmanaged.passUnretained(watch).toOpaque())
            var (header, passCount) = (unsafe cpng_header(), Int32(0))
            var code = unsafe cpng_read_header(reader, 2000, 2000, 0, &header)
            if code == CPNG_OK { code = unsafe cpng_start_rows(reader, &passCount) }
            var row = [UInt8](repeating: 0, count: 4000)
            while code == CPNG_OK || code == CPNG_AGAIN { code = unsafe cpng_read_row(reader, &row) }
            return Int(code)
        }
    }
}
