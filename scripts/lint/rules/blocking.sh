#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Only the files that park threads use semaphores, condition variables, sleeps or polls.
lint=${0%/*}/..
. "$lint/files.sh"
each_file 'CSources Sources' "*.swift $c_files" awk '
{ code = " " $0; sub(/\/\/.*/, "", code); gsub(/func [A-Za-z]+[(]/, "", code) }
code ~ /[^A-Za-z0-9_](DispatchSemaphore|NSCondition|NSConditionLock|Thread[.]sleep|Task[.]sleep)[^A-Za-z0-9_]/ ||
code ~ /[^A-Za-z0-9_.](usleep|nanosleep|clock_nanosleep|sleep|sem_wait|uv_sem_wait|uv_sleep)[(]/ ||
code ~ /[^A-Za-z0-9_.](uv_cond_(timed)?wait|pthread_cond_(timed)?wait[a-z_]*)[(]/ ||
(FILENAME ~ /[ch]$/ && code ~ /[^A-Za-z0-9_.>](p?poll|p?select|epoll_p?wait2?|kevent)[(]/) {
    print FILENAME ":" FNR ": blocks the thread; see exceptions.txt"
}' | except blocking
