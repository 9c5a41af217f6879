"""Where Streamlit and the ``bpe`` library meet: what every page shares."""
