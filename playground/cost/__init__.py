"""The sections of the Cost page, each with a function for its inputs and one for its result.

``choose(context)`` draws the fields of a section and returns what they hold, ``show(context,
inputs)`` draws what comes of it; the context is the prices, currency and moment of
``price_settings.py``.
"""
