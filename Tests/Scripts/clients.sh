#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds packages that take Swivel by URL and version, from the manifests of the pages. For "hello",
# which names no trait, SwiftPM fetches no other package; it is built as docs/Dockerfile does. "server"
# names the trait NIO, and uses SwivelNIO. The URL leads to a repository that is made of this checkout
# and has the version as a tag.
#
# Usage: Tests/Scripts/clients.sh FOLDER [hello|server|nightly]     FOLDER: for the packages
set -eu
unset SWIVEL_STRICT # As for a user.
project=$(cd "${0%/*}/../.." && pwd)
mkdir -p "${1:?a folder for the packages}"
folder=$(cd "$1" && pwd)
read -r address version <"$project/docs/repository.txt"

fail() {
    echo "clients: $*" >&2
    exit 1
}

# swift_ COMMAND...: SwiftPM with a cache of its own, which may see the same tag on another commit.
swift_() {
    command=$1
    shift
    "$project/scripts/limited" 600 swift "$command" --cache-path "$folder/cache" \
        --security-path "$folder/security" "$@" || fail "swift $command $* fails"
}

publish() {
    rm -rf "$folder/swivel" "$folder/security" "$folder"/cache/repositories/swivel-*
    git -c init.defaultBranch=main init -q "$folder/swivel"
    set -- git -C "$project" --git-dir="$folder/swivel/.git" --work-tree="$project" \
        -c user.name=clients -c user.email=clients@example.com \
        -c commit.gpgSign=false -c tag.gpgSign=false
    "$@" add -A
    "$@" commit -q -m "This checkout"
    "$@" tag "$version"
}

# client NAME MANIFEST: a package with no sources yet.
client() {
    rm -rf "${folder:?}/$1"
    mkdir -p "$folder/$1/Sources/$1" "$folder/$1/Tests/$1Tests"
    sed "s|$address|file://$folder/swivel|" "$project/Tests/Manifests/$2" >"$folder/$1/Package.swift"
}

# fetched NAME: resolves the package's dependencies, and prints what SwiftPM has fetched.
fetched() {
    swift_ package --package-path "$folder/$1" resolve >&2
    for repository in "$folder/$1/.build/repositories"/*-*; do
        repository=${repository##*/}
        printf '%s ' "${repository%-*}"
    done
}

# Follows docs/Dockerfile without Docker: its packages exist, its build runs here, and what it copies is
# there then. The base images are not tried.
follow_dockerfile() {
    while read -r instruction rest; do
        case "$instruction $rest" in
        ' ' | '#'* | 'FROM '* | 'COPY . /hello' | 'CMD ["hello"]') ;;
        'RUN apt-get update && apt-get install -y '*)
            ! command -v apt-get >/dev/null 2>&1 ||
                # shellcheck disable=SC2086
                apt-get install --simulate -qq ${rest##*-y } >"$folder/log" 2>&1 ||
                fail "$rest: $(cat "$folder/log")"
            ;;
        'RUN swift build '*)
            command=${rest#swift build }
            # shellcheck disable=SC2086
            swift_ build ${command%/hello}"$folder/hello"
            ;;
        'COPY --from=0 /hello/'*)
            path=${rest#--from=0 /hello/}
            [ -x "$folder/hello/${path%% *}" ] || fail "docs/Dockerfile: there is no ${path%% *}"
            ;;
        *) fail "docs/Dockerfile: what to do for \"$instruction $rest\"?" ;;
        esac
    done <"$project/docs/Dockerfile"
}

hello() {
    client hello Package.swift
    cat >"$folder/hello/Sources/hello/Hello.swift" <<'END'
import Swivel

@main struct Hello {
    static func main() async throws {
        let loop = try Loop()
        loop.schedule(after: .milliseconds(1)) { print("hello") }
        await loop.shutdown(.drain(within: .seconds(10)))
    }
}
END
    fetched=$(fetched hello)
    [ "$fetched" = 'swivel ' ] || fail "without traits SwiftPM fetches $fetched"
    follow_dockerfile
    said=$("$project/scripts/limited" 60 "$folder/hello/.build/release/hello")
    [ "$said" = hello ] || fail "the program prints \"$said\""
}

server() {
    client server Server.swift
    cp "$project/Integrations/Tests/SampleTests/NIOServerSample.swift" "$folder/server/Sources/server"
    echo 'try await serve(port: 7000)' >"$folder/server/Sources/server/main.swift"
    fetched=$(fetched server)
    case " $fetched" in
    *' swift-log '* | *' swift-metrics '* | *' swift-service-lifecycle '* | *tracing*)
        fail "with the trait NIO alone SwiftPM fetches $fetched"
        ;;
    *' swift-nio '*) ;;
    *) fail "with the trait NIO SwiftPM fetches only $fetched" ;;
    esac
    swift_ build --package-path "$folder/server"
}

# The article's program, which two processes run, on a PostgreSQL of its own.
nightly() {
    client nightly Schedules.swift
    cp "$project/Schedules/Samples/nightly/Nightly.swift" "$folder/nightly/Sources/nightly"
    swift_ build --package-path "$folder/nightly"
    "$project/scripts/limited" 120 "$project/Schedules/with-database" \
        "$project/Tests/Scripts/nightly.sh" "$folder/nightly/.build/debug/nightly" ||
        fail "two processes of the article's program do not share its schedule"
}

publish
for package in ${2:-hello server}; do
    "$package"
    echo "clients: $package holds"
done
