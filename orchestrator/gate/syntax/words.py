"""The names that the screen knows: builtins, attributes and special methods that a function may or may not use.

Called by `contents`. For modules there is the surface list instead; on other values an attribute may be a column's
name, so that here what is refused has to be listed.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BUILTINS = _words(
    """
    abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate filter float
    format frozenset getattr hasattr hash id int isinstance issubclass iter len list map max min next object oct ord pow
    property range repr reversed round set slice sorted staticmethod str sum super tuple type zip
    Ellipsis NotImplemented Exception ExceptionGroup ArithmeticError AssertionError AttributeError BufferError EOFError
    FloatingPointError ImportError IndexError KeyError LookupError MemoryError ModuleNotFoundError NameError
    NotImplementedError OSError OverflowError RecursionError ReferenceError RuntimeError StopIteration SyntaxError
    TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError ValueError
    ZeroDivisionError Warning DeprecationWarning FutureWarning RuntimeWarning UnicodeWarning UserWarning IOError
    TimeoutError
    """
)
# These are given values by a name, or make classes: only the forms that `contents` allows.
BY_NAME = frozenset({"getattr", "hasattr"})

# Methods and attributes that read, write or evaluate text, or walk out of the objects at hand.
ATTRIBUTES = _words(
    """
    eval exec query system popen spawn fork environ modules load dump save savez savez_compressed savetxt loadtxt
    genfromtxt fromfile tofile memmap open_memmap DataSource ExcelFile ExcelWriter HDFStore import_module
    write_text write_bytes read_text read_bytes f_globals f_locals f_back f_builtins f_generator gi_frame gi_code
    gi_yieldfrom cr_frame cr_code cr_await ag_frame ag_code ag_await tb_frame tb_next co_code func_globals mro ctypeslib
    ctypes cffi capsule f2py testing lib os io sys bltns subprocess importlib builtins set_option reset_option
    option_context format_map style plot hist boxplot get_field obj evaluate baseclass func_code func_dict func_defaults
    func_closure
    """
)
# Arguments by which numpy takes memory that holds something else, or that is still in use.
ARGUMENTS = frozenset({"refcheck", "buffer", "buf"})
# pandas writers that return text when they get no path are I/O all the same; converters in memory are not.
ALLOWED_TO = _words(
    """
    to_numeric to_datetime to_timedelta to_numpy to_list to_dict to_frame to_series to_flat_index to_pydatetime
    to_period to_timestamp to_julian_date to_records to_datetime64 to_integral to_integral_value
    to_integral_exact to_eng_string to_base to_bytes to_pytimedelta to_offset to_timedelta64
    """
)
# Of the special attributes these, and of the private ones those of named tuples, beside the source's own.
SPECIAL = frozenset({"__name__", "__len__", "__doc__"})
PRIVATE = frozenset({"_replace", "_asdict", "_fields", "_make"})

# Special methods that a class may have. Those that answer for any name, or for the object's memory, are not among them.
METHODS = _words(
    """
    __init__ __post_init__ __new__ __repr__ __str__ __format__ __bytes__ __bool__ __hash__ __eq__ __ne__ __lt__ __le__
    __gt__ __ge__ __len__ __iter__ __next__ __reversed__ __contains__ __getitem__ __setitem__ __delitem__ __missing__
    __call__ __enter__ __exit__ __int__ __float__ __index__ __complex__ __round__ __trunc__ __floor__ __ceil__ __abs__
    __neg__ __pos__ __invert__ __add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__
    __truediv__ __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __ifloordiv__ __mod__ __rmod__ __imod__
    __divmod__ __rdivmod__ __pow__ __rpow__ __ipow__ __and__ __rand__ __iand__ __or__ __ror__ __ior__ __xor__ __rxor__
    __ixor__ __lshift__ __rlshift__ __ilshift__ __rshift__ __rrshift__ __irshift__ __matmul__ __rmatmul__ __copy__
    """
)

# pandas calls a method by the text that it is given here, with the arguments that follow.
CALLS_BY_NAME = frozenset({"agg", "aggregate", "apply", "transform"})
CALLS_BY_NAME_OPTIONS = _words("func axis raw result_type by_row convert_dtype include_groups")
# What is called to make a function of a function.
MAKES_FUNCTIONS = frozenset({"partial", "vectorize", "itemgetter"})
PIVOTS = frozenset({"pivot_table", "crosstab"})
PIVOT_OPTIONS = _words(
    """
    data values index columns rownames colnames aggfunc fill_value margins margins_name dropna observed sort normalize
    """
)
