"""Arrays for the caller: of NumPy if it is installed, else memory views of the standard library."""

_FORMATS = {"uint8": "B", "uint32": "I"}


def from_bytes(element, data, shape):
    """Returns an array of this element type and shape with a copy of the data."""
    try:
        import numpy
    except ImportError:
        view = memoryview(bytearray(data))
        # A view without elements has no shape of several dimensions.
        return view.cast(_FORMATS[element], shape) if data and len(shape) > 1 else view.cast(_FORMATS[element])
    return numpy.frombuffer(bytearray(data), dtype=element).reshape(shape)
