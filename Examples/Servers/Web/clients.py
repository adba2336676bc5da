#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that stall in the head of a request, and clients that keep their connections alive while
the server is told to end.

Usage: clients.py PORT PROCESS IDLE     PROCESS: the server's number. IDLE: its limit for a head, in s
"""
import os
import signal
import socket
import sys
import threading
import time

port, server, idle = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])


def connect():
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(30)
    return connection


def half_heads():
    """Half a head at once, and after a whole request; with and without a byte now and then."""
    connections = [connect() for _ in range(8)]
    for number, connection in enumerate(connections):
        if number % 2:
            get(connection, "/")
        connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nX-")
    begun, closed = time.time(), 0
    for number, connection in enumerate(connections):
        connection.settimeout(0.2)
        while time.time() - begun < 3 * idle + 1:
            try:
                if number < 4:
                    connection.sendall(b"x")
                if not connection.recv(4096):
                    closed += 1
                    break
            except TimeoutError:
                continue
            except OSError:
                closed += 1
                break
    print(f"{closed} of 8 connections with half a head were closed")
    return closed == 8


def get(connection, path):
    """Sends a request, and returns the head of the answer. Raises if there is none."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = connection.recv(4096)
        if not part:
            raise ConnectionError(f"closed after {len(answer)} bytes of an answer")
        answer += part
    head, body = answer.split(b"\r\n\r\n", 1)
    fields = head.lower().split(b"\r\n")
    length = next(int(f.split(b":")[1]) for f in fields if f.startswith(b"content-length"))
    while len(body) < length:
        part = connection.recv(4096)
        if not part:
            raise ConnectionError(f"closed after {len(body)} bytes of a body")
        body += part
    return fields


def keep_alive(path, pause, results):
    """One request after the other, until an answer says that it is the last."""
    connection, answered = connect(), 0
    try:
        while b"connection: close" not in get(connection, path):
            answered += 1
            time.sleep(pause)
        results.append(None)
    except (OSError, StopIteration) as error:
        results.append(f"{path}: {error!r} after {answered} answers")


def drain():
    """All are between two requests, or in one, when the signal comes."""
    results = []
    clients = [
        threading.Thread(target=keep_alive, args=(path, pause, results))
        for path, pause in [("/", 0), ("/", 0.01), ("/slow", 0), ("/limited", 0.1)] * 8
    ]
    for client in clients:
        client.start()
    time.sleep(1)
    os.kill(server, signal.SIGTERM)
    for client in clients:
        client.join()
    lost = [result for result in results if result]
    print("\n".join(lost), end="\n" if lost else "")
    print(f"{len(results) - len(lost)} of {len(clients)} clients heard that the connection closes, "
          f"and {len(lost) or 'none'} has lost a request")
    return not lost


sys.exit(0 if half_heads() & drain() else 1)
