"""A page as another reader sees it: by a link, by a session file, or after a reload.

:mod:`.codec` is the link as a value, :mod:`.session_file` a file of more, :mod:`.contents` what a
session puts into them and what becomes of them elsewhere, :mod:`.control` what the header has.
"""
