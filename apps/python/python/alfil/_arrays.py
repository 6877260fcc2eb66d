"""Arrays for the caller: of NumPy if it is installed, else memory views of the standard library."""

# The formats of `struct` for the element types.
_FORMATS = {"uint8": "B", "uint32": "I"}


def from_bytes(dtype, data, shape):
    """Returns an array of this shape with a copy of the data; `dtype` is the name of the element type in NumPy."""
    try:
        import numpy
    except ImportError:
        view = memoryview(bytearray(data))
        # A view without elements has no shape of several dimensions.
        return view.cast(_FORMATS[dtype], shape) if data and len(shape) > 1 else view.cast(_FORMATS[dtype])
    return numpy.frombuffer(bytearray(data), dtype=dtype).reshape(shape)
