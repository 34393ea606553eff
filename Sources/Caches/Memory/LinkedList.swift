/// Elements in insertion order, addressed by places that stay valid until their element is removed.
///
/// A doubly linked list in an array: all operations take constant time.
struct LinkedList<Element: Sendable>: Sendable {
    /// The place of an element.
    typealias Place = Int

    private struct Node: Sendable {
        var element: Element?
        var next: Place
        var previous: Place
    }

    /// The sentinel node, which precedes the first and follows the last element.
    private var nodes = [Node(element: nil, next: 0, previous: 0)]
    private var freePlaces: [Place] = []

    /// The element inserted first; `nil` if the list is empty.
    var first: Element? { nodes[nodes[0].next].element }

    /// Appends `element`.
    mutating func append(_ element: Element) -> Place {
        let place = freePlaces.popLast() ?? nodes.count
        let last = nodes[0].previous
        let node = Node(element: element, next: 0, previous: last)
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        nodes[last].next = place
        nodes[0].previous = place
        return place
    }

    /// Removes and returns the element at `place`.
    mutating func remove(_ place: Place) -> Element {
        let (next, previous) = (nodes[place].next, nodes[place].previous)
        nodes[next].previous = previous
        nodes[previous].next = next
        freePlaces.append(place)
        return nodes[place].element.take()!  // a place in use has an element
    }
}
