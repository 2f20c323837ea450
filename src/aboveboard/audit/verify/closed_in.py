"""Runs a command in a network of its own; a program of its own (`sealing.py` starts it), the standard library only.

    closed_in SOCKET PORT,PORT -- command argument ...

The command finds the ports at 127.0.0.1, as outside; each connection is handed through SOCKET, which lies in the file
system and so is the same inside and outside. There is nothing else: every other address leads nowhere, and who tries is
told of through SOCKET, as is every name that is looked up.

It stands before every start of a server. So it uses `_socket` and `_thread`, which `socket` and `threading` wrap: what
those add, and what `signal` and `selectors` import, takes longer than all that is done here.
"""

import _socket as socket
import ctypes
import fcntl
import os
import select
import struct
import sys
from _thread import start_new_thread

NEW_USER, NEW_NET = 0x10000000, 0x40000000
LOOPBACK = "lo"
SYN, RST, ACK = 0x02, 0x04, 0x10
TCP, UDP = 6, 17
OUTGOING = 4
DNS = 53
SET_PARENT_DEATH_SIGNAL, KILL = 1, 9


def leave() -> None:
    """Go into a network of its own; who is not root needs a user namespace for it, and stays who he is."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(NEW_NET) == 0:
        return
    if libc.unshare(NEW_USER | NEW_NET) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def open_network() -> None:
    """Switch the loopback on, and let every address lead to it: nothing leaves, and everything can be seen."""
    any_socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", LOOPBACK.encode(), 0x41))  # SIOCSIFFLAGS: up, running
    any_socket.close()
    for family in (socket.AF_INET, socket.AF_INET6):
        netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        # RTM_NEWROUTE to everything: table local, by nobody in particular, on this host, local.
        route = struct.pack("BBBBBBBBI", family, 0, 0, 0, 255, 3, 254, 2, 0)
        route += struct.pack("HHI", 8, 4, socket.if_nametoindex(LOOPBACK))
        netlink.send(struct.pack("IHHII", 16 + len(route), 24, 0x505, 1, 0) + route)
        answer = netlink.recv(4096)
        netlink.close()
        if struct.unpack("i", answer[16:20])[0] != 0 and family == socket.AF_INET:
            raise OSError("no route can be set")


class Porter:
    """Stays beside the command: hands connections on, and tells of what tries to leave."""

    def __init__(self, place: str, ports: list[int]) -> None:
        self.place, self.ports = place, ports
        self.names = {socket.gethostname().partition(".")[0].lower(), "localhost", ""}
        self.packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.packets.bind((LOOPBACK, 0))
        self.packets.settimeout(0)
        self.doors = [(port, _door(port)) for port in ports]
        self.control = self._line("control")

    def _line(self, purpose: str) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.place)
        line.sendall(f"{purpose}\n".encode())
        return line

    def serve(self) -> None:
        """Work until the other side is gone."""
        for port, door in self.doors:
            start_new_thread(self._hand_on, (port, door))
        ready = select.poll()
        ready.register(self.packets, select.POLLIN)
        ready.register(self.control, select.POLLIN)
        while True:
            asked = {descriptor for descriptor, _ in ready.poll()}
            self._tell()
            if self.control.fileno() in asked:
                question = self.control.recv(1)
                if not question:
                    return
                self._tell()
                self.control.sendall(b".\n")  # all that was sent before the question has been told

    def _hand_on(self, port: int, door: socket.socket) -> None:
        while True:
            inside = _accepted(door)
            try:
                outside = self._line(f"to {port}")
            except OSError:
                inside.close()
                continue
            for one, other in ((inside, outside), (outside, inside)):
                start_new_thread(_pump, (one, other))

    def _tell(self) -> None:
        while True:
            try:
                packet, address = self.packets.recvfrom(65535)
            except BlockingIOError:
                return
            if address[2] == OUTGOING and (goal := self._goal(packet)):
                self.control.sendall(f"{goal}\n".encode())

    def _goal(self, packet: bytes) -> str:
        """Say where a packet wants to go, where it wants to leave; empty where it does not."""
        kind = struct.unpack("!H", packet[12:14])[0]
        if kind == 0x0800:
            start = 14 + (packet[14] & 15) * 4
            protocol, source, target = packet[23], socket.inet_ntoa(packet[26:30]), socket.inet_ntoa(packet[30:34])
            local = target.startswith("127.")
            shared = int(target.partition(".")[0]) >= 224
        elif kind == 0x86DD:
            start, protocol = 54, packet[20]
            source, target = (socket.inet_ntop(socket.AF_INET6, packet[a : a + 16]) for a in (22, 38))
            local, shared = target == "::1", target.startswith("ff")
        else:
            return ""
        segment = packet[start:]
        if len(segment) < 8 or shared:
            return ""
        if protocol == TCP:
            return self._connecting(segment, source, target, local=local)
        if protocol == UDP:
            port = struct.unpack("!H", segment[2:4])[0]
            if port == DNS:
                return self._asking(segment[8:])
            return "" if local else f"SEND {target} {port}"
        return ""

    def _connecting(self, segment: bytes, source: str, target: str, *, local: bool) -> str:
        ours, theirs, sequence = struct.unpack("!HHI", segment[:8])
        flags = segment[13]
        if flags & (SYN | ACK) == SYN and not local:
            return f"CONNECT {target} {theirs}"
        refused = flags & (RST | ACK) == RST | ACK and sequence == 0
        if refused and local and source in ("127.0.0.1", "::1") and ours not in self.ports:
            return f"CONNECT 127.0.0.1 {ours}"
        return ""

    def _asking(self, question: bytes) -> str:
        labels: list[str] = []
        at = 12
        while at < len(question) and question[at]:
            labels.append(question[at + 1 : at + 1 + question[at]].decode("ascii", "replace").lower())
            at += 1 + question[at]
        name = ".".join(labels)
        own = not labels or labels[0] in self.names or labels[-1] == "arpa" or len(labels) == 1
        return "" if own else f"RESOLVE {name} {DNS}"


def _door(port: int) -> socket.socket:
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.bind(("127.0.0.1", port))
    door.listen(64)
    return door


def _accepted(door: socket.socket) -> socket.socket:
    """Wait for whoever comes next; what the wrapped socket has for it is missing in its published types."""
    descriptor: int = getattr(door, "_accept")()[0]  # noqa: B009
    return socket.socket(fileno=descriptor)


def _pump(one: socket.socket, other: socket.socket) -> None:
    try:
        while content := one.recv(65536):
            other.sendall(content)
        other.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (one, other):
            end.close()


def main() -> None:
    """Go in, leave a porter at the door, and become the command."""
    place, ports, _, *command = sys.argv[1:]
    leave()
    open_network()
    if not place:
        return  # only to see whether it is permitted
    porter = Porter(place, [int(port) for port in ports.split(",") if port])
    parent = os.getpid()
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, KILL)  # it does not outlive the command
        if os.getppid() != parent:
            os._exit(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nothing, stream)
        try:
            porter.serve()
        finally:
            os._exit(0)
    os.execvp(command[0], command)  # noqa: S606 (that is what it is for)
