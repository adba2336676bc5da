// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

@Sendable func getAlbum(
    _ name: String, handler: @escaping @Sendable (_ photos: [String]) -> Void
) {
    handler(["\(name)/1", "\(name)/2"])
}
// snippet.show
func album() async -> [String] {
    await <<~{ getAlbum("pics", handler: $0) }
}
let photos = await album()
// snippet.hide
precondition(photos.count == 2)
