// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

@Sendable func getAlbum(
    _ name: String, handler: @escaping @Sendable (_ photos: [String], _ error: (any Error)?) -> Void
) {
    DispatchQueue.global().async { handler(["\(name)/1", "\(name)/2"], nil) }
}
@Sendable func save(_ text: String, handler: @escaping @Sendable (Bool) -> Void) { handler(true) }
@Sendable func render(_ page: Int) -> String { "page \(page)" }
@Sendable func show(_ text: String) { print(text) }
let loop = try Loop(.init(name: "store"))
// snippet.show
// An asynchronous function, called synchronously: run it in the
// background, here, or on a context, and wait for its handler.
let (photos, error) = <<~{ getAlbum("pics", handler: $0) }
let isSaved = <<-{ save("note", handler: $0) }
let isStored = <<~loop ~~~ { save("note", handler: $0) }

// A synchronous function, called asynchronously: in the background or on
// a context. It returns a future, and arrows continue from there.
render ~>> (1)
render ~>> loop ~>> (2) ~>> loop ~>> { show($0) }

// A function bound to a context is a value.
let renderThere = render~>>.on(loop)
let third = renderThere.sync(3)
// snippet.hide
precondition(photos.count == 2 && error == nil && isSaved && isStored && third == "page 3")
loop.shutdown(.drain(within: .seconds(2)))
