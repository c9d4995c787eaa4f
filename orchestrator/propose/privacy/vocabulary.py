"""Words that may stand in a message to a model whose data is masked: those of the gate, of Python and of pandas.

Everything else in an error text may be a cell of the data, and is masked. Called by `model_knowledge`; a test compares
the list with the gate's own messages.
"""

WORDS = frozenset(
    """
    A a above accessor add added adds after afterwards again alignable aligned all allowed alone alongside
    already ambiguous among amp an and announced another answer any apart appear applicable applied are
    arg args argument arguments ArithmeticError array ArrowInvalid ArrowStringArray ArrowTypeError as
    ascii asked assert assertion AssertionError assigned assignment astray async asynchronous at attribute
    AttributeError available axis back bad base BaseException be became before behind beside besides
    between beyond bit blank blanks blobs block BlockingIOError body bool boolean bounds break breakpoint
    breaks broadcast broke broken BrokenPipeError BufferError builtins busy but by byte bytes BytesWarning
    call callable called caller calls came Can can canary Cannot cannot capture carried carry case cases
    cast casting cause caused cell cells chained chance change changed changes char character characters
    check checked checks ChildProcessError children chr cleaned cleaning cleans clipboard clock closed
    closing co code codec collapse collection Column column columns come comes company comparison compile
    composes compressed computes concatenate confirm confirmed ConnectionAbortedError ConnectionError
    ConnectionRefusedError ConnectionResetError consistent constants container contains context
    continuation CONTRACT contract conversion convert copy cost could cr cut cuts data DataFrame date
    DateParseError dates datetime datetimelike day dayfirst DecimalException declare declared declares
    decode decorated deeper deeply def default defined definition delimiter depend depends
    DeprecationWarning depth detect determined deterministic df dict dicts did differ different
    differently dimensions direct disabled distinct div division do doc docstring documented does doesn
    done double drop dropped drops dt dtype dtypes duplicate during each earlier echo edges effect
    effective element elements empty enabled enclosed encode encoded EncodingWarning end ended endless
    enough EnvironmentError EOFError equivariant Error error escape Every every exact exactly example
    examples exceeded Exceeds Exception exception executed exit Expected expected Expecting expects
    expression Extra extreme fail failed fails False false faster file FileExistsError FileNotFoundError
    final find finds finite first fits fixed flag flagged flags flat float FloatingPointError follow
    followed following for fork format formed found frame fresh from func function functions future
    FutureWarning gate gave give Given given globals go goes got group grows had handling has hash
    hashable have header heart held helpers hexadecimal hold holdout hostile hour huge I id idempotent
    identical if ignore import imported ImportError importlib imports ImportWarning In in inactive
    incompatible indent indentation IndentationError Index index indexer IndexError IndexingError indices
    individually inf infer inferred infinity info information inhomogeneous input inputs instance
    instances instead int IntCastingNaNError integer integral InterruptedError into Invalid invalid
    InvalidOperation invariant io IOError is IsADirectoryError ISO isoformat issue It it item iterable its
    json JSONDecodeError judge judged keeps kept key KeyboardInterrupt KeyError keys keyword killed kind
    know Known known label labels large last later laws least led left len Length length less level levels
    lib line lines list lists literal load loader loc local locals long longer look looks LookupError loop
    lose loses lossy lost machinery made main make many map mapping match max maximum may meant memory
    MemoryError memoryview message method might min minute mismatch miss missing mixed modifies module
    ModuleNotFoundError modules month more most msg multiple must NA na name NameError names namesake nan
    NaTType NAType ndarray needed needs neither nested never new nil No no nodes non None none NoneType
    nor normally not NotADirectoryError nothing NotImplementedError np NUL null nulls num number numbers
    numeric numpy object objects occur occurred odd of off offset ok On on once one only op open operand
    operands operation ops option or orchestrator ord order ordered orders ordinal origin os OSError other
    out OutOfBoundsDatetime output outside overflow OverflowError own page pandas parenthesis parse parsed
    ParserError parsing part parts pass passed passing path pattern PatternError PendingDeprecationWarning
    per perform period PermissionError pieces place plain policy pop position positional precise precision
    present problems process processes ProcessLookupError processor promoted property proposer provided
    public pure py pyarrow pydatetime Python python pytimedelta query quotes raise raised ran range re
    read reads real record records recursion RecursionError ref reference referenced ReferenceError regex
    reindex remains remove rename repeat replace Replacement required requires reset reshuffled
    ResourceWarning rest result return returned returns right row rows rule run running RuntimeError
    RuntimeWarning safe same sample samples sandbox save say says screen scripted second seconds seed
    seems selection sequence Series series set setting shape shapes shuffle shuffled shuffles single size
    slice solved some something source space spawn spec special specified split stable stand stands start
    statement status stay stays still StopIteration stopped str string StringMethods strings strip
    subclass subpattern subprocess subscriptable substring such supported supports surrogates survive
    surviving switched syntax SyntaxError SyntaxWarning sys system SystemError tab TabError table tables
    take takes tb testing text texts than that The the their theirs them there they this time timedelta
    TimeoutError timestamp to together too touches tried True true truth try tuple turned two type
    TypeError types uint Unable unable unbalanced UnboundLocalError unchanged unchecked unconverted
    undefined UndefinedVariableError underscore understood unexpected unhashable UnicodeDecodeError
    UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning unit Unknown unknown unless
    unpack unreadable unseen unserialisable unsupported unterminated use used user UserWarning using utc
    utf valid value ValueError values variable vars verdict void wait want wanted warm Warning was went
    were what whatever when wherever which while white whole whose width with without word working works
    would write writes written wrong wrote year years yes yet yield you zero ZeroDivisionError zip zone
    """.split()  # noqa: SIM905 - prose is easier to keep than eight hundred quoted words
)
