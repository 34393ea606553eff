import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import ThumbnailServer

/// The decision which connections may stay.
@Suite(.bounded, .bug(id: "Fix a client whose idle connections keep all others out"))
struct ConnectionRegistryTests {
    /// A connection that notes what the registry does to it.
    private final class Member: Sendable {
        let place = ConnectionPlace()
        let events = Mutex<[String]>([])

        func owner(_ client: UInt32) -> ConnectionPlace.Owner {
            ConnectionPlace.Owner(
                client: .address(client),
                proceed: { [events = self] in events.events.withLock { $0.append("proceeds") } },
                leave: { [events = self] in events.events.withLock { $0.append("leaves") } })
        }

        var log: [String] { events.withLock { $0 } }
    }

    private func registry(count: Int, perClient: Int? = nil, reserve: Int = 4) -> ConnectionRegistry {
        var limits = ConnectionLimits()
        (limits.count, limits.countPerClient, limits.reserveCount) = (count, perClient, reserve)
        return ConnectionRegistry(limits)
    }

    private func open(_ registry: ConnectionRegistry, client: UInt32, idleSince: UInt64? = nil) -> Member? {
        let member = Member()
        guard registry.open(member.place, owner: member.owner(client)) else { return nil }
        member.place.idleTime = idleSince.map { .uptimeNanoseconds($0) }
        return member
    }

    @Test func clientLosesItsLongestIdleConnection() throws {
        let registry = registry(count: 9, perClient: 2)
        let other = try #require(open(registry, client: 1, idleSince: 1))
        let first = try #require(open(registry, client: 2, idleSince: 20))
        let second = try #require(open(registry, client: 2, idleSince: 10))
        let third = try #require(open(registry, client: 2))
        #expect(first.log.isEmpty && other.log.isEmpty && second.log == ["leaves"])
        let fourth = try #require(open(registry, client: 2))
        #expect(first.log == ["leaves"])
        #expect(open(registry, client: 2) == nil, "both are busy")
        for member in [third, fourth] { #expect(member.log.isEmpty && member.place.standing == .regular) }
    }

    @Test func serverLosesItsLongestIdleConnection() throws {
        let registry = registry(count: 2)
        let first = try #require(open(registry, client: 1, idleSince: 20))
        let second = try #require(open(registry, client: 2, idleSince: 10))
        let third = try #require(open(registry, client: 3))
        #expect(first.log.isEmpty && second.log == ["leaves"] && third.place.standing == .regular)
    }

    @Test func requestsWaitForRoomInOrder() throws {
        let registry = registry(count: 1, reserve: 4)
        let busy = try #require(open(registry, client: 1))
        let waiting = try (2..<6).map { try #require(open(registry, client: $0)) }
        #expect(waiting.map { registry.admit($0.place) } == [.waiting, .waiting, .outside, .outside])
        busy.place.idleTime = .uptimeNanoseconds(1)
        registry.didBecomeIdle()
        #expect(busy.log == ["leaves"] && waiting[0].log == ["proceeds"] && waiting[1].log.isEmpty)
        registry.close(waiting[0].place)
        #expect(waiting[1].log == ["proceeds"] && waiting[1].place.standing == .regular)
        // One of the reserve that was refused may ask again.
        registry.close(waiting[1].place)
        #expect(registry.admit(waiting[2].place) == .regular)
    }

    /// Seeded: neither the limits are exceeded nor are places lost, whatever happens.
    @Test(arguments: 0..<8)
    func placesAreNeitherLostNorExceeded(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let registry = registry(count: 6, perClient: 3, reserve: 4)
        var members: [Member] = []
        for step in 0..<2000 {
            members.removeAll { $0.log.contains("leaves") }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                if members.count < 10, let member = open(registry, client: .random(in: 0..<5, using: &random)) {
                    members.append(member)
                }
            case 1:
                guard let member = members.randomElement(using: &random) else { continue }
                registry.close(member.place)
                members.removeAll { $0 === member }
            case 2:
                guard let member = members.randomElement(using: &random) else { continue }
                member.place.idleTime = Bool.random(using: &random) ? .uptimeNanoseconds(UInt64(step)) : nil
                registry.didBecomeIdle()
            default:
                guard let member = members.randomElement(using: &random) else { continue }
                if member.place.standing == .reserve { _ = registry.admit(member.place) }
            }
            members.removeAll { $0.log.contains("leaves") }
            let regular = members.count { $0.place.standing == .regular }
            #expect(regular <= 6 && registry.openCount == members.count)
            #expect(members.allSatisfy { $0.place.standing != .outside })
            if regular < 6 { #expect(members.allSatisfy { $0.place.standing != .waiting }) }
        }
        for member in members { registry.close(member.place) }
        #expect(registry.openCount == 0)
    }

    private static let path = "/insecure/-/https%3A%2F%2Fexample.com%2Fslow.png"

    /// Whatever occupies the server, a load balancer sees that it is alive, and other requests are made in time.
    @Test func stateIsServedWhileAllConnectionsAreBusy() async throws {
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let gate = Gate()
        let loader = FakeLoader { _ in
            try await gate.waitUnlessCancelled()
            return LoadResponse(.data(image))
        }
        var limits = ConnectionLimits()
        (limits.count, limits.reserveCount) = (1, 4)
        let server = TestServer(loader: loader, connections: limits)
        try await server.run { client, _ in
            let port = try #require(client.port)
            async let slow = RawClient.exchange(Self.request(Self.path), port: port)
            await gate.waitForArrivals()
            let health = try await RawClient.exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8, port: port)
            #expect(health.hasSuffix("alive\n"))
            // It waits for the first to end.
            async let other = RawClient.exchange(Self.request("/gallery.css"), port: port)
            let ready = try await RawClient.exchange("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n".utf8, port: port)
            #expect(ready.hasSuffix("ready\n"))
            gate.open()
            #expect(try await slow.hasPrefix("HTTP/1.1 200"))
            #expect(try await other.hasPrefix("HTTP/1.1 200"))
        }
    }

    /// 60 idle connections of one client, of which it may have 20: the others are closed, and the server answers.
    @Test func idleConnectionsOfOneClientAreLimited() async throws {
        var limits = ConnectionLimits()
        limits.countPerClient = 20
        let server = TestServer(connections: limits)
        try await server.run { client, _ in
            let port = try #require(client.port)
            let idle = try await (0..<60).asyncMap { _ in
                try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
                    .connect(host: "127.0.0.1", port: port).get()
            }
            // The first ones have been idle for the longest time.
            for channel in idle.prefix(40) { try await channel.closeFuture.get() }
            let text = try await RawClient.exchange(Self.request("/health"), port: port)
            #expect(text.hasSuffix("alive\n"))
            for channel in idle.suffix(20) { channel.close(promise: nil) }
        }
    }

    private static func request(_ path: String) -> String.UTF8View {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
