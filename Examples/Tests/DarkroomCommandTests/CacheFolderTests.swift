import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

/// Folders that are no caches, and caches of other programs.
struct CacheFolderTests {
    private static let picture = Fixture.path("png-3x5.png")

    @Test(
        arguments: [
            ["cache", "stats"], ["cache", "ls"], ["cache", "verify"], ["cache", "clear"], ["cache", "trim"],
            ["cache", "remove", picture], ["doctor"], ["explain", picture], ["load", picture, "--dry-run"],
            ["prefetch", "/dev/null", "--dry-run"],
        ], [["IMG.jpg"], []])
    func inspectingAFolderMakesNoCacheOfIt(arguments: [String], names: [String]) async throws {
        try await withTemporaryDirectory { folder in
            for name in names { try Data([1]).write(to: folder.appending(path: name)) }
            let run = try await darkroom(arguments + ["--cache", folder.path])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.names == names)
        }
    }

    @Test(arguments: [
        ([], "ok      cache      ", "has no cache yet, one can be created"),
        (["IMG.jpg"], "note    cache      ", "has other files, and no cache"),
    ])
    func doctorReportsWhatTheFolderHas(names: [String], status: String, finding: String) async throws {
        try await withTemporaryDirectory { folder in
            for name in names { try Data([1]).write(to: folder.appending(path: name)) }
            let run = try await darkroom("doctor", "--cache", folder.path)
            #expect(run.lines.contains("\(status)\(folder.path): \(finding)"))
        }
    }

    @Test func folderWithOtherFilesIsNotExcludedFromBackups() async throws {
        try await withTemporaryDirectory { folder in
            try Data([1]).write(to: folder.appending(path: "IMG.jpg"))
            _ = try await darkroom("load", Self.picture, "--thumbnail", "2x2", "--cache", folder.path)
            #expect(try folder.names.contains("darkroom-usage") && !folder.names.contains("CACHEDIR.TAG"))
            #expect(try await darkroom("cache", "ls", "--cache", folder.path).lines.count == 1)
        }
    }

    @Test func tildeInTheFolderIsAName() async throws {
        try await withTemporaryDirectory { folder in
            let (home, current) = (folder.appending(path: "home"), folder.appending(path: "current"))
            for folder in [home, current.appending(path: "~")] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            let run = try await bash(
                """
                cd '\(current.path)'
                HOME='\(home.path)' '\(Process.built("darkroom").path)' \
                    cache warm '\(Self.picture)' --thumbnail 2x2 --cache '~/cache'
                """)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try home.names.isEmpty)
            #expect(try current.appending(path: "~/cache").names.contains("darkroom-usage"))
        }
    }

    @Test func cacheOfAnotherProgramHasNoLimitUnlessOneIsGiven() {
        #expect(CacheFolder(nil).byteLimit == 1 << 30)
        #expect(CacheFolder(nil).ageLimit == Duration.seconds(7 * 24 * 60 * 60))
        #expect(CacheFolder("a").byteLimit == .max)
        #expect(CacheFolder("a").ageLimit == nil)
        #expect(CacheFolder("a", ageLimit: .seconds(5)).ageLimit == Duration.seconds(5))
        #expect(CacheFolder("a", byteLimit: 5).byteLimit == 5)
        #expect(CacheFolder(nil, byteLimit: 5).byteLimit == 5)
    }

    @Test(arguments: [([], 2), (["--cache-bytes", "1"], 0), (["--cache-bytes", "\(Int.max)"], 2)])
    func storeTakesItsLimitFromTheOption(options: [String], count: Int) async throws {
        try await withTemporaryDirectory { cache in
            let sources = ["jpeg-420.jpg", "png-rgb-8.png"].map(Fixture.path)
            _ = try await darkroom(["load", "--thumbnail", "9x9", "--cache", cache.path] + sources + options)
            #expect(try await darkroom("cache", "ls", "--cache", cache.path).lines.count == count)
        }
    }

    @Test func entriesBeyondTheDefaultLimitStayUnlessALimitIsGiven() async throws {
        try await withTemporaryDirectory { cache in
            let load = ["load", "--thumbnail", "9x9", "--cache", cache.path]
            _ = try await darkroom(load + [Fixture.path("png-rgb-8.png")])
            let shard = cache.appending(path: "001")
            try FileManager.default.createDirectory(at: shard, withIntermediateDirectories: true)
            // It takes no space on the disk.
            let entry = shard.appending(path: "0123456789abcdef0123456789abcdef.png")
            try Data().write(to: entry)
            let file = try FileHandle(forWritingTo: entry)
            try file.truncate(atOffset: 2 << 30)
            try file.close()
            let collection = ["cache", "gc", "--cache", cache.path]
            for arguments in [collection, load + [Fixture.path("jpeg-420.jpg")], collection] {
                #expect(try await darkroom(arguments).status == 0)
                #expect(FileManager.default.fileExists(atPath: entry.path), "\(arguments)")
            }
            #expect(try await darkroom(collection + ["--cache-bytes", "\(1 << 30)"]).status == 0)
            #expect(!FileManager.default.fileExists(atPath: entry.path))
        }
    }

    @Test(arguments: [([], 1), (["--cache-days", "9"], 1), (["--cache-days", "7"], 0)])
    func oldEntriesStayUnlessALimitIsGiven(options: [String], count: Int) async throws {
        try await withTemporaryDirectory { cache in
            _ = try await darkroom("load", Self.picture, "--thumbnail", "2x2", "--cache", cache.path)
            try await makeEntriesOld(in: cache)
            let run = try await darkroom(["cache", "gc", "--json", "--cache", cache.path] + options)
            #expect(try run.objects.first?["entries"] as? Int == count)
        }
    }

    @Test func oldEntryOfAnotherProgramIsLoaded() async throws {
        try await withTemporaryDirectory { cache in
            let load = ["load", Self.picture, "--thumbnail", "2x2", "--json", "--cache", cache.path]
            #expect(try await darkroom(load).objects.first?["origin"] as? String == "local")
            try await makeEntriesOld(in: cache)
            #expect(try await darkroom(load).objects.first?["origin"] as? String == "disk")
        }
    }

    @Test(arguments: [
        ["cache", "gc", "--cache-days", "0"], ["cache", "gc", "--cache-days", "\(Int.max)"],
        ["cache", "gc", "--cache-bytes", "0"], ["load", "a.png", "--cache-bytes", "x"],
        ["load", "a.png", "--cache-bytes", "1", "--no-cache"],
    ])
    func invalidLimitsAreAUsageError(arguments: [String]) async throws {
        #expect(try await darkroom(arguments).status == 2)
    }
}

/// Makes it 8 days since the last use of all entries of the cache at `folder`.
func makeEntriesOld(in folder: URL) async throws {
    let entries = "-regex '.*/[0-9a-f]*[.][a-z]*'"
    let run = try await bash("find '\(folder.path)' \(entries) -print -exec touch -a -d '8 days ago' {} +")
    #expect(run.status == 0 && !run.lines.isEmpty, "\(run.errors)")
}
