"""The addresses of pages, as they are given to others."""

from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st
from streamlit import config


def of_page() -> str:
    """Return the address of this page with the choices that are in it now."""
    address = urlsplit(st.context.url or "")
    given = [(key, value) for key in st.query_params for value in st.query_params.get_all(key)]
    return urlunsplit((address.scheme, address.netloc, address.path, urlencode(given), ""))


def to_page(name: str, query: Sequence[tuple[str, str]]) -> str:
    """Return the address of the page of that name with these choices."""
    address = urlsplit(st.context.url or "")
    base = config.get_option("server.baseUrlPath").strip("/")
    path = "/".join(["", *filter(None, [base, name])])
    return urlunsplit((address.scheme, address.netloc, path, urlencode(query), ""))
