import DarkroomCore
import DarkroomFiles
import Synchronization
import Testing

@testable import DarkroomFile

struct MountPointsTests {
    private static let table = """
        24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
        30 24 0:45 / /home/ada/net rw - nfs4 server:/export rw
        31 24 8:17 / /media/USB\\040stick\\134\\303\\244 rw - vfat /dev/sdb1 rw
        32 24 0:46 /one /etc/hosts rw - tmpfs tmpfs rw
        broken

        """

    @Test(arguments: [
        ("/home/ada/net/a/b.png", "/home/ada/net"), ("/home/ada/net", "/home/ada/net"),
        ("/home/./ada//net//b.png", "/home/ada/net"), ("/home/ada/network/b.png", "/"), ("/home/ada/b.png", "/"),
        ("/", "/"), ("/media/USB stick\\ä/b.png", "/media/USB stick\\ä"),
        ("/etc/hosts", "/etc/hosts"), ("/etc/hosts2", "/"),
    ])
    func innermostMountPointIsFound(_ path: String, _ expected: String) {
        #expect(MountPoints(Self.table).mountPoint(of: FilePath(text: path)) == expected)
    }

    @Test(arguments: ["", "\n", "1 2 3 4 5", "1 2 3 4 \\ 6", "1 2 3 4 \\9999\\04 6"])
    func brokenTablesHaveOneDisk(_ table: String) {
        #expect(MountPoints(table).mountPoint(of: FilePath(text: "/a/b.png")) == "/")
    }

    @Test func tableOfThisMachineNamesItsFileSystems() throws {
        let points = MountPoints(try #require(SystemFile.text(of: "/proc/self/mountinfo")))
        #expect(points.mountPoint(of: FilePath(text: "/proc/self/status")) == "/proc")
    }

    @Test func disksMountedLaterGetThreadsOfTheirOwn() async throws {
        let table = Mutex("")
        let disks = Disks(readTable: { table.withLock(\.self) }, checkInterval: .zero)
        let file = FilePath(text: "/mnt/a.png")
        let root = try await disks.disk(of: file)
        #expect(try await disks.disk(of: FilePath(text: "/b.png")).watch === root.watch)
        table.withLock { $0 = "1 2 0:3 / /mnt rw - nfs server:/ rw" }
        let mounted = try await disks.disk(of: file)
        #expect(mounted.watch !== root.watch)
        #expect(try await disks.disk(of: file).files === mounted.files)
        table.withLock { $0 = "" }
        #expect(try await disks.disk(of: file).watch === root.watch)
    }
}
