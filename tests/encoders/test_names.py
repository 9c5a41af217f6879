"""What users of tiktoken and Hugging Face look for, on every kind of encoder."""

import copy
import json
import pickle

import numpy as np
import pytest

import bpe
from bpe import files
from bpe.encoders import catalog, huggingface
from bpe.encoders.models import encoding_name_of, nearest
from bpe.errors import BPEError
from tests.each import each

TEXT = "low lower 你好<|end|> low"


@pytest.fixture(scope="module")
def trained() -> bpe.Tokenizer:
    recipe = bpe.Recipe(vocabulary_size=262, special_tokens=("<|end|>",))
    return bpe.train(["low lower lowest 你好"] * 3, recipe)


@pytest.fixture(scope="module")
def wordpiece() -> bpe.Encoder:
    model = {
        "type": "WordPiece",
        "vocab": {"[UNK]": 0, "low": 1, "##er": 2, "[SEP]": 3},
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    }
    values = huggingface.values_of(
        model,
        added_tokens=[huggingface.added_token("[SEP]", 3, lstrip=True, rstrip=True)],
        pre_tokenizer={"type": "BertPreTokenizer"},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": False},
    )
    return files.loads({"tokenizer.json": json.dumps(values).encode()})


@pytest.fixture(params=["trained", "rank file", "gpt2", "llama2", "wordpiece"])
def encoder(request, trained, wordpiece) -> bpe.Encoder:
    match request.param:
        case "trained":
            return trained
        case "rank file":
            return files.loads(files.dumps(trained, "tiktoken"), pattern="gpt2")
        case "wordpiece":
            return wordpiece
    return bpe.encoding(request.param)


def test_a_token_is_found_by_its_bytes(encoder):
    for token_id in encoder.encode_ordinary("low"):
        data = encoder.token_bytes(token_id)
        assert encoder.token_bytes(encoder.token_to_id(data)) == data
    for token, token_id in encoder.special_tokens.items():
        assert encoder.token_to_id(token) == token_id
    assert encoder.token_to_id("no token of any vocabulary, surely") is None
    assert len(encoder) == encoder.vocabulary_size


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_a_stream_has_the_ids_of_the_whole_as_arrays(encoder, step):
    text = "low lower low\nlower " * 20
    blocks = [text[at : at + 5] for at in range(0, len(text), 5)]
    parts = list(encoder.encode_iterable_to_numpy(blocks, step=step))
    assert all(part.dtype == np.int32 for part in parts)
    assert np.concatenate(parts).tolist() == encoder.encode(text)


def test_a_stream_of_ids_is_decoded_as_the_whole(encoder):
    ids = encoder.encode_ordinary("low lower low")
    for size in (1, 2, 100):
        blocks = [ids[at : at + size] for at in range(0, len(ids), size)]
        assert b"".join(encoder.decode_iterable(blocks)).decode() == encoder.decode(ids)


def test_an_array_has_the_ids_of_the_list_also_around_special_tokens(wordpiece):
    text = "low [SEP] low"  # the token takes the spaces around it along
    ids = wordpiece.encode(text, allowed_special="all")
    assert wordpiece.encode_to_numpy(text, allowed_special="all").tolist() == ids


def test_encoders_that_are_made_of_the_same_are_equal(encoder):
    again = pickle.loads(pickle.dumps(encoder))
    assert again == encoder != bpe.encoding("o200k_base")
    assert len({again, encoder, bpe.encoding("o200k_base")}) == 2


@pytest.mark.parametrize("given", [b"low", None, 5])
def test_what_is_no_text_is_refused_with_what_to_do(encoder, given):
    methods = encoder.encode, encoder.encode_ordinary, encoder.encode_to_numpy, encoder.count
    for method in (*methods, bpe.encoding_for_model):
        with pytest.raises(TypeError, match="Give text as str, not "):
            method(given)


@pytest.mark.parametrize("number", [np.int64, np.int32])
def test_integers_of_numpy_are_ids_as_any_other(encoder, number):
    ids = encoder.encode("low")
    given = [number(token_id) for token_id in ids]
    assert encoder.decode(given) == encoder.decode(tuple(given)) == encoder.decode(ids)
    assert "".join(encoder.decode_stream(np.array(ids, number))) == encoder.decode(ids)
    with pytest.raises(BPEError, match="There is no token id -1"):
        encoder.decode([*given, number(-1)])


@pytest.mark.parametrize("given", ["low", ["low"], [1.5], [None], [[1]]])
def test_what_are_no_ids_is_refused_with_what_to_do(encoder, given):
    for method in (encoder.decode, encoder.decode_bytes):
        with pytest.raises(TypeError, match="Give ids as whole numbers, not as "):
            method(given)


@pytest.mark.parametrize("token_id", [-1, 10_000_000])
def test_an_unknown_id_is_named(encoder, token_id):
    for call in (encoder.token_bytes, lambda at: encoder.decode([at])):
        with pytest.raises(BPEError, match=f"There is no token id {token_id}"):
            call(token_id)


def test_one_text_is_no_batch(encoder):
    with pytest.raises(TypeError, match="Give a list of texts, not one text"):
        encoder.encode_batch("low")


MODELS = {
    "o200k_base": "gpt-5 openai/gpt-4o-mini ft:gpt-4o:acme::x gpt-4o-2024-05-13 azure/gpt-4o",
    "cl100k_base": (
        "gpt-4 text-embedding-3-small openai/text-embedding-3-large gpt-35-turbo "
        "gpt-4-0125-preview "
    ),
    "deepseek_v3": "deepseek-ai/DeepSeek-V3 deepseek-ai/DeepSeek-R1-0528",
    "qwen3": "Qwen/Qwen3-8B Qwen/Qwen2.5-7B-Instruct qwen3",
    "glm4": "glm-4.5-air zai/glm-4.5-air:free",
    "llama3": (
        "meta-llama/Llama-3.1-8B meta-llama/Meta-Llama-3-8B-Instruct "
        "us.meta.llama3-1-70b-instruct-v1:0 "
    ),
    "mistral_v3": "mistralai/Mistral-Nemo-Instruct-2407",
    "mistral_v2": "mistralai/Mistral-7B-Instruct-v0.3",
    "r50k_base": "davinci",
    "p50k_base": "text-davinci-003",
    "p50k_edit": "openai/text-davinci-edit-001",
    "o200k_harmony": "gpt-oss-20b openai/gpt-oss-20b openai.gpt-oss-120b-1:0",
    "gpt2": "openai/gpt-2",
    "gemma3": "models/gemini-2.5-pro",
    "kimi_k2": "kimi-k2-0905-preview",
}
"""Models as vendors, hosts and regions write them, by their encodings."""


@each(MODELS.items())
def test_a_model_has_its_encoding(row):
    name, models = row
    for model in models.split():
        assert bpe.encoding_for_model(model).name == name, model


@pytest.mark.parametrize("entry", bpe.encodings(), ids=lambda entry: entry.name)
def test_the_models_of_the_catalogue_are_found_however_they_are_spelled(entry):
    for label in entry.models:
        for spelled in (label, label.lower().replace(" ", "-"), label.replace(" ", "_")):
            assert encoding_name_of(spelled) == entry.name, spelled


def test_a_model_in_place_of_an_encoding_is_answered_with_the_way_to_it():
    with pytest.raises(BPEError, match="Of a model, encoding_for_model finds it"):
        bpe.encoding("gpt-4o")


def test_a_misspelled_model_is_answered_with_the_nearest():
    with pytest.raises(BPEError, match=r"Names like it: .*deepseek-chat"):
        bpe.encoding_for_model("deepseek-chatt")
    for wrong in ("qwen9", "claude-sonnet-4-5", "llama-9", "gpt-4p"):
        assert all(encoding_name_of(near) for near in nearest(wrong)), wrong
    assert nearest("gpt-4p")


def test_an_encoding_of_ones_own_is_found_by_its_name_and_its_models(trained, monkeypatch):
    monkeypatch.setattr(catalog, "_registered", {})
    monkeypatch.setattr(catalog, "registered_models", {})
    bpe.register("mine", lambda: trained, models=["my-model"])
    assert bpe.encoding("mine") is trained
    assert bpe.encoding_for_model("my-model") is trained
    for taken in ("gpt2", "p50k_base"):
        with pytest.raises(BPEError, match=f"“{taken}” is an encoding already"):
            bpe.register(taken, trained)
    bpe.register("text", lambda: "no encoder")
    with pytest.raises(BPEError, match="registered as “text” gives no encoder"):
        bpe.encoding("text")


@pytest.mark.parametrize(
    ("name", "encoder", "models"),
    [(None, list, ()), ("a b", list, ()), ("", list, ()), ("x", 5, ()), ("x", list, "my-model")],
)
def test_what_cannot_be_registered_is_refused(name, encoder, models):
    with pytest.raises(BPEError, match="registered by a name without white space"):
        bpe.register(name, encoder, models=models)


@each(
    ["claude-sonnet-5-5", "glm-4.7", "unheard-of-1"]
    # Small models do not have the tokenizer of the one that they learned from.
    + ["deepseek-r1-distill-qwen-7b", "deepseek/deepseek-r1-distill-llama-70b", "deepseek-r1:7b"]
)
def test_a_model_without_a_known_tokenizer_is_refused(model):
    with pytest.raises(BPEError, match=f"No tokenizer is at hand for the model “{model}”"):
        bpe.encoding_for_model(model)


class TestSpecialTokensAddedLater:
    def test_it_is_a_new_value(self, trained):
        more = trained.with_special_tokens("<|user|>")
        assert list(trained.special_tokens) == ["<|end|>"]
        assert more.made_of(more.symbol(trained.vocabulary_size)) is None
        assert more.digest != trained.digest
        assert more == trained.with_special_tokens("<|user|>")
        assert copy.deepcopy(more) == pickle.loads(pickle.dumps(more)) == more != trained

    @pytest.mark.parametrize("token", ["<|end|>", "", 5, "\ud800"])
    def test_what_cannot_be_one_is_refused(self, trained, token):
        with pytest.raises(BPEError):
            trained.with_special_tokens(token)

    @pytest.mark.parametrize("format", ["bpe", "huggingface"])
    def test_files_keep_them(self, trained, format):
        more = trained.with_special_tokens("<|user|>")
        loaded = files.loads(files.dumps(more, format))
        text = "low<|user|>low<|end|>"
        encoded = (each.encode(text, allowed_special="all") for each in (loaded, more))
        assert len(set(map(tuple, encoded))) == 1
        assert dict(loaded.special_tokens) == dict(more.special_tokens)
        assert b"added_later" not in files.dumps(trained)["tokenizer.bpe.json"]


def test_a_tokenizer_json_has_its_special_tokens_beside_it(trained, tmp_path):
    bpe.save(trained, tmp_path / "folder", format="huggingface")
    bpe.save(trained, tmp_path / "tokenizer.json")
    for path in (tmp_path / "folder", tmp_path):
        config = json.loads((path / "tokenizer_config.json").read_text())
        assert config["additional_special_tokens"] == ["<|end|>"]
        assert config["tokenizer_class"] == "PreTrainedTokenizerFast"
        assert bpe.load(path).encode("low lower") == trained.encode("low lower")
    (tmp_path / "alone").mkdir()
    bpe.save(trained, tmp_path / "alone" / "mine.json", format="huggingface")
    assert [file.name for file in (tmp_path / "alone").iterdir()] == ["mine.json"]
