import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

@Suite struct SystemMemoryTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    static let cases: [(groups: String, files: [String: String], expected: Int)] = [
        ("0::/app", ["app/memory.max": "1000\n"], 1000),
        ("0::/app/web", ["app/memory.max": "1000\n", "app/web/memory.max": "3000\n"], 1000),
        ("0::/app", ["app/memory.max": "max\n"], 9999),
        ("0::/", ["memory.max": "500\n"], 500),
        ("0::/../../app", ["app/memory.max": "70\n"], 70),
        ("3:cpu,memory:/docker/1f", ["memory/docker/1f/memory.limit_in_bytes": "800\n"], 800),
        ("3:memory:/not/mounted/here", ["memory/memory.limit_in_bytes": "900\n"], 900),
        ("3:memory:/", ["memory/memory.limit_in_bytes": "9223372036854771712\n"], 9999),
        ("3:memory:/", ["memory/memory.limit_in_bytes": "99999999999999999999999\n"], 9999),
        ("1:name=systemd:/x\n2:memory:/a:b\n0::/", ["memory/a:b/memory.limit_in_bytes": "12"], 12),
        ("0::/app", ["app/memory.max": "0\n"], 9999),
        ("nonsense", [:], 9999),
        ("", [:], 9999),
    ]

    @Test(arguments: cases)
    func smallestLimitCounts(_ groups: String, _ files: [String: String], _ expected: Int) throws {
        let memory = SystemMemory(groups: try folder.controlGroups(groups, files: files), machineByteCount: 9999)
        #expect(memory.byteCount == expected)
    }

    @Test func memoryOfTheMachineCountsWithoutControlGroups() {
        let groups = ControlGroups(file: folder.url.path + "/none", folder: folder.url.path)
        let memory = SystemMemory(groups: groups)
        #expect(memory.byteCount == memory.machineByteCount)
        #expect(memory.byteCount > 64 << 20)
    }

    @Test func defaultLimitIsAQuarterAndAtMost512MiB() {
        #expect(MemoryImageCache.defaultByteLimit == min(SystemMemory().byteCount / 4, 512 << 20))
        #expect(MemoryImageCache().byteLimit == MemoryImageCache.defaultByteLimit)
        #expect(MemoryImageCache().countLimit == nil)
    }
}
