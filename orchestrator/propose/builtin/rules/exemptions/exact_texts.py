"""Columns whose texts are others as soon as one sign is: names of files and users, genes, commands, words of a list of
words, moves of chess. `Trp53` is the gene of a mouse and `TP53` of a man, `ls -l` and `ls -L` do two things.

Called by the rules on spelling, case and separators, which then leave the column alone.
"""

import re

from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn

_NAMES = frozenset(
    """
    allele alleles chord chords cmd command commands datatype dna dtype file filename filenames files gene genes
    genotype genotypes haplotype headword hla identifier identifiers inchi inchikey lemma lemmas literal login
    macro mot mots move numeral palabra palabras passwd password passwords path peptide phoneme phonemes piece
    regex rna sampa san secret selector sequence smarts smiles square token tokens username variable variables
    varname word words wort wörter
    """.split()  # noqa: SIM905 - prose is easier to keep than quoted words
)  # of columns
_OPTION = re.compile(r"(?:.{0,40} )?-[A-Za-z](?: .{0,40})?", re.DOTALL)  # of a program
_SYMBOL = re.compile(r"[A-Z][a-z]+[a-z0-9]*|[A-Z]+[A-Z0-9]*")
_MOST = 0.5  # of the cells


def are_exact(column: TextColumn) -> bool:
    """Whether the column's name says so, or most cells have an option of a program, as `-r` and `rm -R`."""
    names = words_of(column.name)
    if not names.isdisjoint(_NAMES) or ("symbol" in names and _are_in_two_cases(column)):
        return True
    return column.may_be(lambda text: "-" in text) and column.share(lambda t: bool(_OPTION.fullmatch(t))) > _MOST


def _are_in_two_cases(column: TextColumn) -> bool:
    """Whether some symbols begin with a capital only, as genes of animals do, and none is in small letters."""
    in_words = column.rows(lambda text: text.istitle() and len(text) > 1)
    return in_words > 0 and column.share(lambda text: _SYMBOL.fullmatch(text) is not None) == 1
