"""How many more or fewer tokens the same texts have under another model's tokenizer."""

import bpe
from bpe.documents import samples

texts = {"zh": samples.corpus("zh"), "en": samples.corpus("en")}
old, new = (bpe.encoding_for_model(model) for model in ("gpt-4", "deepseek-v3"))
for language, text in texts.items():
    print(f"{language}: {new.count(text) / old.count(text) - 1:+.1%}")
