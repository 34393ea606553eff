import DarkroomCore
@testable import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials
import Testing

struct EnvelopeTests {
    private let key = CacheKey(source: "https://example.com/a.jpg", variant: ["Thumbnail({6.000000,6.000000},1)"])
    private let now = Date(timeIntervalSinceReferenceDate: 1000)

    private var entry: DataEntry {
        var metadata = DataEntry.Metadata(storedAt: now)
        var info = ImageInfo(format: .png, storedSize: PixelSize(3, 4))
        info.comments = ["first", "secönd"]
        info.iccProfile = Data([0, 1, 255])
        metadata.info = info
        var freshness = Freshness(confirmedAt: now - 5)
        freshness.expires = now + 60
        freshness.redirectsExpire = now + 45
        metadata.original = OriginalVersion(revision: "1", freshness: freshness)
        metadata.original?.sharing.expires = now + 30
        return DataEntry(Data("the bytes of the file".utf8), metadata: metadata)
    }

    @Test(arguments: [nil, Data("secret".utf8), Data(repeating: 7, count: 100)])
    func entryComesBack(_ secret: Data?) throws {
        let envelope = Envelope(secret: secret)
        let object = try envelope.object(entry, for: key, at: now)
        #expect(try envelope.entry(in: StoredObject(object), for: key, at: now) == entry)
    }

    @Test func objectHasNoCookies() throws {
        var entry = entry
        entry.metadata.setCookies = ["session=hunter2"]
        let object = try Envelope().object(entry, for: key, at: now)
        #expect(!String(decoding: object, as: UTF8.self).contains("hunter2"))
        #expect(try Envelope().entry(in: StoredObject(object), for: key, at: now) == self.entry)
    }

    @Test func datesFollowTheClockOfTheEngine() throws {
        let envelope = Envelope()
        let object = StoredObject(try envelope.object(entry, for: key, at: now), age: .seconds(10))
        // The clock of this node is an hour ahead of the other's.
        let read = try envelope.entry(in: object, for: key, at: now + 3610)
        #expect(read.metadata.storedAt == now + 3600)
        #expect(read.metadata.original?.freshness?.confirmedAt == now + 3595)
        #expect(read.metadata.original?.freshness?.expires == now + 3660)
        #expect(read.metadata.original?.freshness?.redirectsExpire == now + 3645)
        #expect(read.metadata.original?.sharing.expires == now + 3630)
    }

    /// Otherwise, an object whose write has taken long would seem to be stored after a purge that it was stored before.
    @Test(arguments: [-0.9, 0, 8, 11])
    func timeOfAWriteIsNoDifferenceOfTheClocks(_ delay: Double) throws {
        let envelope = Envelope(ageTolerance: .seconds(11))
        let object = StoredObject(try envelope.object(entry, for: key, at: now), age: .zero)
        #expect(try envelope.entry(in: object, for: key, at: now + delay) == entry)
    }

    @Test(arguments: [-3600.0, -2, 12, 3600])
    func differenceOfTheClocksIsNotOverestimated(_ difference: Double) throws {
        let envelope = Envelope(ageTolerance: .seconds(11))
        let object = StoredObject(try envelope.object(entry, for: key, at: now), age: .zero)
        let read = try envelope.entry(in: object, for: key, at: now + difference)
        #expect(read.metadata.storedAt == now + difference - 11)
        #expect(read.metadata.original?.freshness?.expires == now + difference + 49)
    }

    @Test func oldObjectThatIsPutBackStaysOldWithASecret() throws {
        for (secret, shift) in [(nil, 86_400), (Data("secret".utf8), 900)] as [(Data?, Double)] {
            let envelope = Envelope(secret: secret)
            let object = StoredObject(try envelope.object(entry, for: key, at: now), age: .zero)
            let read = try envelope.entry(in: object, for: key, at: now + 86_400)
            #expect(read.metadata.storedAt == now + shift)
            #expect(read.metadata.original?.freshness?.expires == now + 60 + shift)
        }
    }

    @Test func objectOfAnotherKeyIsRefused() throws {
        let envelope = Envelope()
        let object = try envelope.object(entry, for: key, at: now)
        #expect(throws: Envelope.Mismatch.self) {
            try envelope.entry(in: StoredObject(object), for: CacheKey(source: key.source), at: now)
        }
    }

    @Test(arguments: [nil, Data("other".utf8)])
    func objectOfAnotherFleetIsRefused(_ secret: Data?) throws {
        let object = try Envelope(secret: secret).object(entry, for: key, at: now)
        #expect(throws: Envelope.Mismatch.self) {
            try Envelope(secret: Data("secret".utf8)).entry(in: StoredObject(object), for: key, at: now)
        }
    }

    @Test func everyFlippedByteIsFound() throws {
        for secret in [nil, Data("secret".utf8)] {
            let envelope = Envelope(secret: secret)
            let object = [UInt8](try envelope.object(entry, for: key, at: now))
            for index in object.indices {
                var damaged = object
                damaged[index] ^= 0x20
                let read = try? envelope.entry(in: StoredObject(Data(damaged)), for: key, at: now)
                // Without a secret, a letter of the metadata may change.
                #expect(read == nil || secret == nil && read?.data == entry.data, "byte \(index)")
            }
        }
    }

    @Test func everyTruncationIsFound() throws {
        let envelope = Envelope(secret: Data("secret".utf8))
        let object = try envelope.object(entry, for: key, at: now)
        for count in 0..<object.count {
            #expect(throws: Envelope.Mismatch.self, "\(count) bytes") {
                try envelope.entry(in: StoredObject(object.prefix(count)), for: key, at: now)
            }
        }
    }

    @Test func foreignObjectsAreRefused() throws {
        let envelope = Envelope()
        var mutator = FileMutator([[UInt8](try envelope.object(entry, for: key, at: now))], seed: 1)
        for _ in 0..<5000 {
            // It must not trap, whatever arrives.
            _ = try? envelope.entry(in: StoredObject(Data(mutator.next())), for: key, at: now)
        }
    }
}
