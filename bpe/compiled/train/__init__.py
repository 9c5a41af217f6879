"""The learner, the word counter and Unigram's sums, compiled."""

from bpe.algorithm import unigram
from bpe.compiled.compiling import kernel

expect = kernel(unigram.expect)
spell = kernel(unigram.spell)
leave = kernel(unigram.leave)
