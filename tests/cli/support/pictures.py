"""Pictures of the program read back: PNG by zlib and the PNG specification, PDF by its streams."""
import re
import struct
import zlib


def read_png(path):
    """Width, height and the rows of an 8-bit RGB picture, each row as bytes; every check sum is checked."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, header = 8, b"", None
    while at < len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        kind, content = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + content)
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        if kind == b"IDAT":
            packed += content
        at += length + 12
    assert kind == b"IEND"
    width, height, *form = header
    assert form == [8, 2, 0, 0, 0]
    raw, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        begin = y * (3 * width + 1)
        above = unfilter(raw[begin], raw[begin + 1:begin + 1 + 3 * width], above)
        rows.append(above)
    return width, height, rows


def unfilter(kind, line, above):
    """A row without its filter [PNG specification, section 9]."""
    if kind == 0:
        return line
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(line, above))
    out, before = bytearray(3) + line, bytes(3) + above  # three zeros stand for what is left of the row
    for i in range(3, len(out)):
        left, up, corner = out[i - 3], before[i], before[i - 3]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        elif up == corner:  # the two shortcuts of Paeth's choice are most of a picture
            guess = left
        elif left == corner:
            guess = up
        else:
            slope = left + up - corner
            guess = min((left, up, corner), key=lambda value: abs(slope - value))
        out[i] = (out[i] + guess) & 255
    return bytes(out[3:])


def pdf_size(path):
    """Of the only page, in points."""
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", path.read_bytes())
    assert len(boxes) == 1, boxes
    return tuple(map(float, boxes[0]))


def pdf_text(path):
    """Everything written in Latin letters, blanks and kerning left out."""
    data, out = path.read_bytes(), b""
    for match in re.finditer(rb"stream\r?\n", data):
        try:
            out += zlib.decompressobj().decompress(data[match.end():])
        except zlib.error:
            pass
    shown = re.findall(rb"\[((?:\((?:\\.|[^\\)])*\)|<[^>]*>|[-\d.\s]+)*)\]\s*TJ|(\((?:\\.|[^\\)])*\))\s*Tj", out)
    words = b"".join(b"".join(re.findall(rb"\(((?:\\.|[^\\)])*)\)", whole)) for pair in shown for whole in pair)
    return re.sub(rb"\\(.)", rb"\1", words).decode("latin-1").replace(" ", "")
