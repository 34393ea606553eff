/// Elements in the order they came, addressed by places that stay valid until their element is removed.
///
/// Linked in both directions inside an array: all operations take constant time.
struct LinkedList<Element: Sendable>: Sendable {
    /// Where an element lies.
    typealias Place = Int

    private struct Node: Sendable {
        var element: Element?
        var next: Place
        var previous: Place
    }

    /// The first node stands before the first and behind the last, and has no element.
    private var nodes = [Node(element: nil, next: 0, previous: 0)]
    private var freePlaces: [Place] = []

    /// The element that came first; `nil` when there is none.
    var first: Element? { nodes[nodes[0].next].element }

    /// Adds `element` behind all others.
    mutating func append(_ element: Element) -> Place {
        let place = freePlaces.popLast() ?? nodes.count
        let last = nodes[0].previous
        let node = Node(element: element, next: 0, previous: last)
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        nodes[last].next = place
        nodes[0].previous = place
        return place
    }

    /// Removes the element at `place` and answers it.
    mutating func remove(_ place: Place) -> Element {
        let (next, previous) = (nodes[place].next, nodes[place].previous)
        nodes[next].previous = previous
        nodes[previous].next = next
        freePlaces.append(place)
        return nodes[place].element.take()!  // a place in use has an element
    }
}
