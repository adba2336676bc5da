// SPDX-License-Identifier: Apache-2.0

/// First in, first out. The first needs no array.
struct JobQueue<Element> {
    private var first: Element?
    /// Those behind the first.
    private var elements: [Element?] = []
    private var head = 0

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { elements.append(element) }
    }

    /// - Complexity: O(1), amortized.
    mutating func popFirst() -> Element? {
        let element = first.take()
        if !elements.isEmpty { first = popSecond() }
        return element
    }

    /// Takes out the oldest of those behind the first.
    private mutating func popSecond() -> Element? {
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            // A long queue gives its memory back; a short one is used again and again.
            elements.removeAll(keepingCapacity: head <= 16)
            head = 0
        } else if head >= 1024, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
