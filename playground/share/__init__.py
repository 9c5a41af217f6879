"""A page as another reader sees it: by a link, by a session file, or after a reload.

:mod:`.codec` is the link as a value, :mod:`.contents` what a session puts into it, :mod:`.restore`
what comes of a link or a reload, :mod:`.control` what stands in the header.
"""
