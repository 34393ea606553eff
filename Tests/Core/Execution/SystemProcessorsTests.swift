import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCore

@Suite struct SystemProcessorsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    static let cases: [(groups: String, files: [String: String], expected: Int)] = [
        ("0::/app", ["app/cpu.max": "200000 100000\n"], 2),
        ("0::/app", ["app/cpu.max": "150000 100000\n"], 2),
        ("0::/app", ["app/cpu.max": "1000 100000\n"], 1),
        ("0::/app", ["app/cpu.max": "max 100000\n"], 16),
        ("0::/app", ["app/cpu.max": "3200000 100000\n"], 16),
        ("0::/app/web", ["app/cpu.max": "300000 100000", "app/web/cpu.max": "500000 100000"], 3),
        ("0::/", ["cpu.max": "400000 100000\n"], 4),
        ("0::/app", ["app/cpu.max": "400000\n"], 16),
        ("0::/app", ["app/cpu.max": "400000 0\n"], 16),
        ("0::/app", ["app/cpu.max": "0 100000\n"], 16),
        ("0::/app", ["app/cpu.max": "99999999999999999999 100000\n"], 16),
        ("4:cpu,cpuacct:/a", ["cpu/a/cpu.cfs_quota_us": "250000\n", "cpu/a/cpu.cfs_period_us": "100000\n"], 3),
        ("4:cpu,cpuacct:/a", ["cpu/a/cpu.cfs_quota_us": "-1\n", "cpu/a/cpu.cfs_period_us": "100000\n"], 16),
        ("4:cpu:/a", ["cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "50000\n"], 1),
        ("", [:], 16),
    ]

    @Test(arguments: cases)
    func smallestLimitCounts(_ groups: String, _ files: [String: String], _ expected: Int) throws {
        var processors = SystemProcessors()
        processors.groups = try folder.controlGroups(groups, files: files)
        processors.statusFile = folder.url.path + "/none"
        processors.machineCount = 16
        #expect(processors.count == expected)
    }

    @Test(arguments: [
        ("Cpus_allowed:\t1\n", 1), ("Cpus_allowed:\tffff,ffffffff\nCpus_allowed_list:\t0-47\n", 48),
        ("Cpus_allowed:\t00000000,00000000\n", 64), ("Cpus_allowed:\tnone\n", 64), ("Name:\ta\n", 64), ("", 64),
    ])
    func affinityLimitsTheCount(_ status: String, _ expected: Int) throws {
        let file = folder.url.appending(path: "status")
        try Data(status.utf8).write(to: file)
        var processors = SystemProcessors()
        processors.groups = ControlGroups(file: folder.url.path + "/none", folder: folder.url.path)
        processors.statusFile = file.path
        processors.machineCount = 64
        #expect(processors.count == expected)
    }

    @Test func limitsOfThisProcessAreRead() {
        #expect((1...ProcessInfo.processInfo.processorCount).contains(SystemProcessors().count))
    }
}
