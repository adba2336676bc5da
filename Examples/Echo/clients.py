#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that an echo server has to bear with, and one that it has to end.

Usage: clients.py ECHO     ECHO: the program
"""
import atexit
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

LIMIT = 0.5


def serve(limit, descriptors=None):
    """Starts a server. Returns it and its port."""

    def lower():
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    server = subprocess.Popen(
        [sys.argv[1], "serve", "--connections", "0", "--limit", str(limit), "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=lower)
    atexit.register(server.kill)
    port = int(server.stdout.readline().split()[-1])
    threading.Thread(target=server.stdout.read, daemon=True).start()
    return server, port


def end(server, what):
    if server.poll() is not None:
        sys.exit(f"clients: the server has ended: {what}")
    server.send_signal(signal.SIGTERM)
    server.wait(10)
    print(what)


def connect(port, buffer=None):
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.connect(("127.0.0.1", port))
    connection.settimeout(20)
    return connection


def send_aside(connection, data):
    """Sends on another thread, until the server takes no more."""

    def send():
        try:
            connection.sendall(data)
        except OSError:
            pass

    threading.Thread(target=send, daemon=True).start()


def read(connection, size, most, pause):
    got = bytearray()
    try:
        while len(got) < size:
            part = connection.recv(most)
            if not part:
                break
            got += part
            time.sleep(pause)
    except OSError:
        pass
    return bytes(got)


def slow_reader():
    """Bytes move without pause, though a reader needs many limits for all of them."""
    server, port = serve(LIMIT)
    # More than the system's buffers take, so that the server waits with the rest.
    connection, data = connect(port, 32_768), os.urandom(6_000_000)
    send_aside(connection, data)
    got = read(connection, len(data), 16_384, 0.016)
    if got != data:
        sys.exit(f"clients: a slow reader has got {len(got)} of {len(data)} bytes")
    end(server, "a slow reader gets all of it")


def stalled_reader():
    """It sends, and reads nothing: no byte moves."""
    server, port = serve(LIMIT)
    connection, size = connect(port, 4096), 8_000_000
    send_aside(connection, bytes(size))
    time.sleep(12 * LIMIT)
    if len(read(connection, size, 65_536, 0)) == size:
        sys.exit("clients: a reader that has stalled is not closed")
    end(server, "a stalled reader is closed")


def out_of_descriptors():
    """More connections than the server has descriptors: they wait until others have gone."""
    server, port = serve(60, 110)
    connections = [connect(port) for _ in range(250)]
    time.sleep(0.5)
    before = cpu(server)
    time.sleep(1)
    if cpu(server) - before > 0.5:
        sys.exit("clients: the server spins while connections wait")
    for connection in connections:
        connection.sendall(b"ping")
        if connection.recv(4) != b"ping":
            sys.exit("clients: a connection that had to wait gets no echo")
        connection.close()
    end(server, "connections without descriptors wait")


def stopped():
    """The server is stopped for longer than its limit, and its clients send all the time."""
    server, port = serve(2)
    connections = [connect(port) for _ in range(200)]
    for connection in connections:
        connection.sendall(b"ping")
        read(connection, 4, 4, 0)
    server.send_signal(signal.SIGSTOP)
    for _ in range(25):
        for connection in connections:
            connection.sendall(b"ping")
        time.sleep(0.1)
    server.send_signal(signal.SIGCONT)
    lost = sum(len(read(connection, 100, 100, 0)) < 100 for connection in connections)
    if lost:
        sys.exit(f"clients: {lost} of 200 connections are closed after a stop")
    end(server, "no connection is closed after a stop")


def cpu(server):
    """Seconds of processor time; 0 where there is no /proc."""
    try:
        with open(f"/proc/{server.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0


slow_reader()
stalled_reader()
out_of_descriptors()
stopped()
