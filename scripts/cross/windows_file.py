# SPDX-License-Identifier: Apache-2.0
"""What a program or library for Windows shows and wants: the tables of a file in PE32+."""
import struct


class Image:
    def __init__(self, path):
        self.bytes = path.read_bytes()
        header = self.number("<I", 0x3C) + 4
        count, optional = self.number("<H", header + 2), self.number("<H", header + 16)
        self.sections = [struct.unpack_from("<4I", self.bytes, header + 20 + optional + 40 * i + 8) for i in range(count)]
        self.tables = [self.number("<I", header + 20 + 112 + 8 * i) for i in range(2)]  # exports, imports

    def number(self, format, place):
        return struct.unpack_from(format, self.bytes, place)[0]

    def place(self, address):
        for size, start, _, offset in self.sections:
            if start <= address < start + size:
                return address - start + offset
        raise ValueError(f"no section has address {address:#x}")

    def text(self, address):
        place = self.place(address)
        return self.bytes[place:self.bytes.index(b"\0", place)].decode()

    def exports(self):
        if not self.tables[0]:
            return []
        table = self.place(self.tables[0])
        names = self.place(self.number("<I", table + 32))
        return [self.text(self.number("<I", names + 4 * i)) for i in range(self.number("<I", table + 24))]

    def imports(self):
        table = self.place(self.tables[1])
        found = []
        while name := self.number("<I", table + 20 * len(found) + 12):
            found.append(self.text(name))
        return found
