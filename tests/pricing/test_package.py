"""What the package exports, and what importing it costs."""

import ast
from pathlib import Path
from string import Formatter

import bpe.pricing
from bpe import pricing


def test_pages_and_commands_import_the_package_and_none_of_its_modules():
    root = Path(pricing.__file__).parents[2]
    sources = [*(root / "playground").rglob("*.py"), *(root / "bpe" / "cli").rglob("*.py")]
    assert not [path for path in sources if "from bpe.pricing." in path.read_text("utf-8")]


# Every sentence of the package is a message with named gaps.


def test_all_messages_are_ids_with_named_gaps_only():
    found = pricing.all_messages()
    assert len(set(found)) == len(found) > 30
    assert all(isinstance(message, str) and message and "{}" not in message for message in found)


def test_every_note_is_one_of_the_messages():
    sentences = [note for model in pricing.models(deprecated=True) for note in model.notes]
    assert {sentence.template for sentence in sentences} <= set(pricing.all_messages())
    ends = {model.ended for model in pricing.models(deprecated=True)} - {None}
    regions = {model.region for model in pricing.models()}
    assert ends | regions <= set(pricing.all_messages())


def test_every_error_has_a_literal_template_whose_gaps_are_filled():
    for path in Path(bpe.pricing.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BPEError":
                (template,) = node.args
                assert isinstance(template, ast.Constant), path
                values = {keyword.arg: 1 for keyword in node.keywords}
                assert template.value.format(**values)
                gaps = {name for _, name, _, _ in Formatter().parse(template.value) if name}
                assert gaps == set(values), path
