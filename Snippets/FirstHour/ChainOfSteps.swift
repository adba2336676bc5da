// SPDX-License-Identifier: Apache-2.0
import Swivel

let loop = try Loop()
func name(of user: Int) -> Future<String, Never> {
    loop.submit { "user \(user)" }
}

let greeting = loop.submit { 7 }
    .flatMap { name(of: $0) }
    .map { "hello, \($0)" }
    .onSuccess(on: loop) { print($0) }
greeting.await()
loop.shutdown(.drain(within: .seconds(1)))
