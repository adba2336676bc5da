// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// How many closures the channel holds. Without a buffer each send would wait for its receiver, and
// a post does not wait.
const mailbox = 1024

// One operation: a closure sent to the one goroutine that runs them, by as many goroutines as there
// are producers. It captures a pointer and a number, or nothing.
func posts(request request) answer {
	producers, each := request.number("producers", 1), request.number("each", 1)
	capturing := request.number("capturing", 0) != 0
	inbox, gate, end := make(chan func(), mailbox), make(chan struct{}), make(chan time.Time, 1)
	plain = 0
	ran, ended := 0, 0
	for producer := 0; producer < producers; producer++ {
		go func() {
			<-gate
			if capturing {
				produceCapturing(inbox, &ran, each)
			} else {
				producePlain(inbox, each)
			}
			inbox <- func() { ended++ }
		}()
	}
	go func() {
		for ended < producers {
			(<-inbox)()
		}
		end <- time.Now()
	}()
	span := begin()
	close(gate)
	span.end(<-end)
	fired := ran + plain
	return answer{span: span, operations: producers * each, fired: fired, left: len(inbox)}
}

func produceCapturing(inbox chan<- func(), ran *int, each int) {
	for index := 0; index < each; index++ {
		number := index&1 | 1
		inbox <- func() { *ran += number }
	}
}

func producePlain(inbox chan<- func(), each int) {
	for index := 0; index < each; index++ {
		inbox <- raise
	}
}

// The count of closures without captures; the receiving goroutine alone changes it.
var plain int

func raise() { plain++ }

// One operation: a value sent to another goroutine, and its reply. The runtime decides whether the
// two run on one thread, as for every pair of goroutines that talk.
func roundTrips(request request) answer {
	trips := request.number("trips", 1)
	there, back := make(chan int, 1), make(chan int, 1)
	times, replies := make([]int64, 0, trips), 0
	go func() {
		for value := range there {
			back <- value + 1
		}
		close(back)
	}()
	span := begin()
	for trip := 0; trip < trips; trip++ {
		sent := time.Now()
		there <- trip
		if <-back == trip+1 {
			replies++
		}
		times = append(times, time.Since(sent).Nanoseconds())
	}
	span.end(time.Now())
	close(there)
	<-back
	return answer{span: span, operations: trips, fired: replies, times: times}
}
