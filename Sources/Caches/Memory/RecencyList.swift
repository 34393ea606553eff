/// Elements in the order of their last use, addressed by places that stay valid until their element is removed.
///
/// A doubly linked list inside an array: all operations take constant time.
struct RecencyList<Element> {
    /// Where an element lies.
    typealias Place = Int

    private struct Node {
        var element: Element?
        var newer: Place
        var older: Place
    }

    /// The first node stands before the newest and behind the oldest, and has no element.
    private var nodes = [Node(element: nil, newer: 0, older: 0)]
    private var freePlaces: [Place] = []

    /// Where the element lies that was not used for the longest time; `nil` when there is none.
    var oldest: Place? { nodes[0].newer == 0 ? nil : nodes[0].newer }

    /// The element at `place`.
    subscript(place: Place) -> Element { nodes[place].element! }  // a place in use has an element

    /// Adds `element` as the newest.
    mutating func insert(_ element: Element) -> Place {
        let place = freePlaces.popLast() ?? nodes.count
        let node = Node(element: element, newer: 0, older: 0)
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        linkAsNewest(place)
        return place
    }

    /// Makes the element at `place` the newest.
    mutating func use(_ place: Place) {
        guard nodes[0].older != place else { return }
        unlink(place)
        linkAsNewest(place)
    }

    /// Removes the element at `place` and answers it.
    mutating func remove(_ place: Place) -> Element {
        unlink(place)
        freePlaces.append(place)
        return nodes[place].element.take()!  // a place in use has an element
    }

    private mutating func linkAsNewest(_ place: Place) {
        let second = nodes[0].older
        nodes[place].older = second
        nodes[place].newer = 0
        nodes[second].newer = place
        nodes[0].older = place
    }

    private mutating func unlink(_ place: Place) {
        let (newer, older) = (nodes[place].newer, nodes[place].older)
        nodes[newer].older = older
        nodes[older].newer = newer
    }
}
