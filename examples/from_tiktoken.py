"""A program written for tiktoken: only its import is changed."""

import bpe.tiktoken as tiktoken

encoding = tiktoken.encoding_for_model("gpt-4o")
messages = [("system", "Answer in one word."), ("user", "你好，世界！")]
print(sum(3 + len(encoding.encode(text)) for _, text in messages) + 3)
