"""Every sentence and label that the prices put before a user, in English.

The constants are message ids: an interface shows their translation. They stand here and nowhere
else, so that a test can hold a catalogue of translations against :func:`all_messages`. Comments
quoted from a price list are not here: they are shown as the list has them.
"""

from bpe.encoders.models import REASONS

# How a count was made.
METHOD_EXACT = "counted with the model's own vocabulary {encoding}"
METHOD_ASSUMED = (
    "counted with the vocabulary {encoding}, which is assumed; "
    "the range is that of {panel} vocabularies on this text"
)
OVERRIDDEN = "At least one price was changed by hand."
METHOD_STAND_IN = (
    "counted with the vocabulary {encoding} in its place; the range is that of {panel} "
    "vocabularies on this text, and of the ratios measured for Claude"
)
METHOD_RATIO = (
    "{base_tokens} tokens of {encoding}, Chinese ones times {zh_ratio} and others times "
    "{other_ratio}; the range of ±{zh_error}% and ±{other_error}% covers chance on a sample of "
    "{zh_characters} Chinese and {other_characters} English characters, nothing else"
)
METHOD_OF_MANY = "counted with the models' own vocabularies"
METHOD_STAND_INS = "counted in part with other vocabularies, and within their range"
METHOD_BY_LENGTH = (
    "a length of {length}, in tokens as this model counts our samples; the same content in both "
    "languages"
)

# About a price.
WITHDRAWN = "Withdrawn or superseded, as far as we know; kept to understand old bills."
DEPRECATED = "The vendor has announced the end of this model."
EMBEDDING = "It gives vectors, not text: only its input is billed."
STALE_ROW = "This row of the price list is known to be out of date; use the vendor's newer model."
THINKING_OUTPUT = (
    "In thinking mode, all output costs {price} per million tokens; it is priced so where "
    "reasoning tokens are given."
)
THINKING_PRICED = "Priced as in thinking mode, where all output costs {price} per million tokens."
REFUSED = (
    "{tokens} tokens of input are more than the context window of {window}: such a request is "
    "refused, so this amount is never billed."
)
INPUT_REFUSED = (
    "{tokens} tokens of input are more than the {most} that this model takes beside its answer: "
    "such a request is refused, so this amount is never billed."
)
CUT_OFF = (
    "Input and answer together need {tokens} tokens, more than the context window of {window}: "
    "such a request is refused, or its answer cut off."
)
LOWEST_STEP = (
    "Only the lowest step of this price is known, up to {input} tokens of input; longer requests "
    "cost more."
)
TOO_LOW = (
    "Only the lowest step of this price is known, up to {input} tokens of input: this amount is "
    "too low."
)
LOWEST_STEP_OF_BOTH = (
    "Only the lowest step of this price is known, up to {input} tokens of input and below {output} "
    "of output; longer requests cost more."
)
TOO_LOW_OF_BOTH = (
    "Only the lowest step of this price is known, up to {input} tokens of input and below {output} "
    "of output: this amount is too low."
)
PEAK = "This is the price of peak hours ({hours} in Beijing); off-peak it is {percent}% lower."
OFF_PEAK = "This is the off-peak price; in peak hours ({hours} in Beijing) it is {percent}% higher."
MIXED_HOURS = "{percent}% of these requests are priced at peak hours ({hours} in Beijing)."
NO_BATCH_PRICE = "No batch price is known for this model; the standard price is used."
PRICE_UNTIL = "A promotional price, promised until {date}."
PRICE_ENDED = (
    "This was a promotional price, promised until {date}: what holds now is not known, and may be "
    "more."
)
TOO_SHORT_TO_CACHE = (
    "This vendor caches no prefix of fewer than {tokens} tokens: nothing is written to the cache, "
    "and those tokens are billed as input."
)
LEAST_ASSUMED = (
    "Fewer than {tokens} tokens are taken not to be cached and are billed as input: that is "
    "assumed, as no number of the vendor's is known for this model."
)
NO_TIER_PRICE = (
    "No price of the service tier “{tier}” is known for this model; the standard price is used."
)
NOT_PRICED = (
    "Not priced, as the list has no price of its own for it: {parts}. The amount is at least this."
)
NO_OUTPUT_PRICE = "No price for output is known; this amount has none of it."
NO_CACHED_PRICE = "No price for cached input is known; cached tokens are billed as other input."
NO_WRITE_PRICE = "Writing to the cache has no price of its own; those tokens are billed as input."
WEEKEND = (
    "DeepSeek bills weekends (Beijing time) off-peak all day, which the price list cannot express: "
    "this is an upper bound."
)

SAME_AS_INTERNATIONAL = (
    "The price list has the dollars of the international list here too; in mainland China Alibaba "
    "bills yuan, so expect another price."
)
YUAN_UNKNOWN = (
    "These are prices in dollars; in mainland China {vendor} bills yuan, by a list of which no "
    "dated source is at hand."
)
OWN_LIST = "The file of your own prices names this vocabulary."
INFERRED = (
    "The price list has inferred this price from another one, by its own words; the vendor's page "
    "was not read for it."
)
CONVERTED = "Published in {currency}; converted at {rate} yuan for a dollar ({date})."

# Chat overhead.
CHAT_RULE = (
    "Each message costs 3 tokens for its frame and 1 for its role, each name 1 more, and the reply "
    "is primed with 3: the rule of OpenAI's cookbook for this family, as of {date}."
)
CHAT_TEMPLATE = (
    "What roles, messages and tools add is counted by the vendor's published chat template, as of "
    "{date}; its server may add to it."
)
CHAT_UNKNOWN = "What roles and messages add was not measured for this model; only text is counted."
TOOLS_UNKNOWN = "What tools add was not measured for this model; the text of their JSON is counted."
TOOLS_RANGE = (
    "The tools are {low} tokens by the rule that OpenAI's models are known to read them by, and at "
    "most {high} as JSON; for this model the rule was not compared with counts of the API."
)
IMAGES = (
    "Images are counted from their size by the vendor's formula as of {date}, which was not "
    "compared with its bills: {source}."
)
IMAGES_ROUGH = "The vendor calls this formula for images rough."
IMAGES_ASSUMED = (
    "Up to which size this model reads images is assumed: the vendor's page has it no more."
)
LEFT_OUT = "Not counted, so that the total is at least this: {names}."
CHAT_PARTS = (
    "Calls of tools, other roles, and a last message that is not the user's have frames of their "
    "own, which are left out here: their text is counted."
)

# Checking a bill.
USAGE_EQUAL = "The same number."
USAGE_FRAME = "What roles and messages add is not in our count."
USAGE_PARTS = "The request has parts whose frames are not in our count, such as calls or images."
USAGE_NO_TOOLS = "As many tokens less as the tools have: perhaps they were not sent."
USAGE_NO_FRAME = "As many tokens less as the frame has: perhaps the vendor bills the text alone."
USAGE_TOKENIZER = "Our count is an estimate, as the vendor's tokenizer is not at hand."
USAGE_SERVER = "The vendor's server sends another frame than its published template, or other text."
USAGE_END = "The end of the answer is a token, too."
USAGE_HIDDEN = "The vendor bills more than one can read, such as reasoning that it does not show."
USAGE_REASONING = "What the vendor says; hidden reasoning cannot be counted by anybody else."
USAGE_CACHE = "Part of the input above; whether a cache was read only the vendor knows."
USAGE_UNREAD = "Fields of the usage object that nothing was taken from: {names}."

# Conversations.
CACHE_ASSUMPTION = (
    "Caching is counted as if all that the previous turn sent were still cached and new; "
    "lifetimes of caches are left out."
)
ANSWER_TOO_LONG = "The model writes at most {most} tokens at once; this answer is longer."

# Currency.
EXAMPLE_RATE = "An example, not a quotation: the rate by which genai-prices converts Zhipu's list."
OWN_RATE = "Entered by hand."

# Labels.
GLOBAL = "one price list worldwide"
INTERNATIONAL = "outside mainland China"
MAINLAND = "mainland China"


def all_messages() -> tuple[str, ...]:
    constants = [value for name, value in sorted(globals().items()) if name.isupper()]
    texts = [value for value in constants if isinstance(value, str)]
    return (*texts, *REASONS.values())
