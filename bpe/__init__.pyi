from bpe.algorithm.counts import WordCounts as WordCounts
from bpe.algorithm.recipe import Merge as Merge
from bpe.algorithm.recipe import Recipe as Recipe
from bpe.encoders.base import Encoder as Encoder
from bpe.encoders.catalog import encoding as encoding
from bpe.encoders.catalog import encodings as encodings
from bpe.encoders.catalog import register as register
from bpe.encoders.character import CharacterTokenizer as CharacterTokenizer
from bpe.encoders.models import encoding_for_model as encoding_for_model
from bpe.encoders.trained import Tokenizer as Tokenizer
from bpe.errors import BPEError as BPEError
from bpe.files import load as load
from bpe.files import save as save
from bpe.files.hub import from_hub as from_hub
from bpe.limits import set_num_threads as set_num_threads
from bpe.pricing.requests import count_messages as count_messages
from bpe.scale.counting import count_files as count_files
from bpe.scale.encoding import encode_files as encode_files
from bpe.training.train import Training as Training
from bpe.training.train import count_words as count_words
from bpe.training.train import train as train

__version__: str
