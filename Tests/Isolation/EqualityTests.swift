import DarkroomCore
import DarkroomIsolation
import DarkroomPlatform
import DarkroomTestKit
import TestSupport
import Testing

/// A picture as both ways of decoding should see it.
private struct Picture: Equatable {
    var info: ImageInfo?
    var bitmap: Bitmap?
    var profile: Data?
    var notes: [String] = []
    var isIncomplete = false
    var frames: [Bitmap] = []
    var durations: [Duration] = []
    var damage: [String?] = []
    var error: String?

    init(_ data: Data, _ coders: CoderRegistry, _ context: ImageContext) {
        do {
            let image = try coders.decode(data, context: context)
            (info, bitmap, profile) = (image.info, image.bitmap, image.metadata.iccProfile)
            (notes, isIncomplete) = (image.metadata.notes, image.metadata.isIncomplete)
            durations = image.animation?.frameDurations ?? []
            let all = try image.animation?.frames() ?? []
            (frames, damage) = (all.map(\.bitmap), all.map(\.damage))
        } catch {
            self.error = "\(error)"
        }
    }
}

/// Results that are the same in workers and in this process.
@Suite(.withoutThreadSanitizer) struct EqualityTests {
    private static let files: [(name: String, data: Data)] = {
        let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp]
        let fixtures = formats.flatMap { Fixture.all(of: $0) + Fixture.broken(of: $0) }.map { ($0.name, $0.data) }
        return fixtures + AnimatedFixture.all.map { ($0.name, $0.data) }
    }()

    private static let contexts = [
        ImageContext(),
        ImageContext { $0.thumbnail = .cover(7, 5, focus: .top) },
        ImageContext {
            $0.thumbnail = .fit(9, 9, inLinearLight: true)
            $0.colorSpace = .displayP3
            $0.usesFirstFrameOnly = true
        },
        ImageContext {
            $0.keepsProfile = true
            $0.acceptsIncomplete = true
            $0.scaleDownByteCount = 4_000
        },
    ]

    @Test(.bounded, arguments: contexts.indices)
    func everyFixtureHasTheSamePixelsNotesAndErrors(_ index: Int) throws {
        let (pool, context) = (try TestEnvironment.standard.pool, Self.contexts[index])
        let crashCount = pool.statistics.crashes["SIGSYS"]
        for (name, data) in Self.files {
            let (expected, isolated) = (Picture(data, localCoders, context), Picture(data, pool.coders, context))
            #expect(isolated == expected, "\(name)")
        }
        #expect(pool.statistics.crashes["SIGSYS"] == crashCount)
    }

    @Test(.bounded) func mutatedFilesHaveTheSamePixelsNotesAndErrors() throws {
        var mutator = FileMutator(Self.files.map { [UInt8]($0.data) }, seed: 40)
        let context = ImageContext { $0.limits.pixelCount = 1_000_000 }
        for index in 0..<400 {
            let data = Data(index % 4 == 0 ? mutator.nextCut() : mutator.next())
            let isolated = try Picture(data, TestEnvironment.standard.pool.coders, context)
            #expect(isolated == Picture(data, localCoders, context), "file \(index)")
        }
    }

    @Test func headersAreTheSame() throws {
        let coders = try TestEnvironment.docker.pool.coders
        for (name, data) in Self.files {
            #expect((try? coders.info(of: data)) == (try? localCoders.info(of: data)), "\(name)")
        }
    }

    @Test(.bounded, arguments: [ImageFormat.png, .jpeg, .gif, .webp, .option])
    func encodedFilesAreTheSame(_ format: ImageFormat) throws {
        let source = Fixture("jpeg-orientation-6.jpg").data
        var image = try localCoders.decode(source)
        image.metadata.iccProfile = try localCoders.info(of: Fixture("png-icc.png").data).iccProfile
        let contexts = [
            ImageContext(),
            ImageContext {
                $0.quality = 0.6
                $0.keptMetadata = .all
                $0[ShadeKey.self] = 3
            },
            ImageContext { $0.encodedByteLimit = 700 },
        ]
        for context in contexts {
            let isolated = try TestEnvironment.standard.pool.coders.encode(image, as: format, context: context)
            #expect(try isolated == localCoders.encode(image, as: format, context: context))
        }
    }

    /// As on a machine with little memory, where a worker keeps none for the next call.
    @Test(.bounded) func memoryOfEachCallHasTheSameResults() throws {
        let pool = try TestEnvironment.standard.makePool { $0.keptByteCount = 100 }
        for context in Self.contexts {
            for (name, data) in Self.files where data.count > 100 {
                #expect(Picture(data, pool.coders, context) == Picture(data, localCoders, context), "\(name)")
            }
        }
        let image = try localCoders.decode(Fixture("jpeg-orientation-6.jpg").data)
        for format in [ImageFormat.png, .jpeg, .gif, .webp] {
            #expect(try pool.coders.encode(image, as: format) == localCoders.encode(image, as: format))
        }
        #expect(pool.statistics.crashCount == 0)
    }

    @Test func coderWithoutSignatureIsAskedInAWorker() throws {
        let coders = try TestEnvironment.standard.pool.coders
        #expect(try coders.decode(Data("   ".utf8)).info.format == .guess)
        // The first bytes of a file decide, not those that the first picture has left in the memory of the worker.
        #expect(throws: ImageError.self) { try coders.decode(Data("!".utf8)) }
        let error = #expect(throws: ImageError.self) { try coders.coder(for: Data("none".utf8)) }
        #expect(error?.kind == .noCoder)
    }

    @Test func optionsOfOtherCodersReachTheWorkersIfTheyAreDeclared() throws {
        let context = ImageContext {
            $0[ShadeKey.self] = 77
            $0[WeightsKey.self] = ["green": 0.2, "red": 1]
        }
        let file = Data("option".utf8)
        let isolated = try TestEnvironment.standard.pool.coders.decode(file, context: context)
        #expect(try isolated.bitmap == localCoders.decode(file, context: context).bitmap)
        #expect(isolated.bitmap.bytes.prefix(4) == [77, 51, 77, 255])
    }

    @Test(.bounded, arguments: AnimatedFixture.all)
    func framesInAnyOrderAreTheSame(_ fixture: AnimatedFixture) throws {
        let local = try localCoders.decode(fixture.data)
        let isolated = try TestEnvironment.standard.pool.coders.decode(fixture.data)
        guard let expected = local.animation, let animation = isolated.animation else {
            #expect(local.animation == nil && isolated.animation == nil)
            return
        }
        var (left, right) = (try expected.makeFrameDecoder(), try animation.makeFrameDecoder())
        var random = SeededGenerator(seed: 3)
        for _ in 0..<12 {
            let index = Int.random(in: 0..<expected.frameCount, using: &random)
            #expect(try left.seek(to: index) && right.seek(to: index))
            #expect(try left.nextFrame()?.bitmap == right.nextFrame()?.bitmap)
        }
    }
}
