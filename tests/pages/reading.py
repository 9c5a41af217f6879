"""What a page shows, as AppTest holds it."""

import json

TEXTS = ("markdown", "header", "caption", "info", "success", "warning", "error")


def said(app, *kinds: str) -> str:
    """All running text of a page, or that of these kinds alone, without Markdown's escapes."""
    elements = (element for kind in kinds or TEXTS for element in getattr(app, kind))
    return "\n".join(element.value for element in elements).replace("\\", "")


def warnings(app) -> list[str]:
    return [warning.value.replace("\\", "") for warning in app.warning]


def metrics(app) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def components(block):
    for child in getattr(block, "children", {}).values():
        yield child
        yield from components(child)


def data_of(app, name: str) -> dict:
    """Return what the component of that name was given."""
    proto = next(
        each.proto
        for each in components(app._tree)
        if each.type == "bidi_component" and each.proto.component_name == name
    )
    return json.loads(proto.json)
