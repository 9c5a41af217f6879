"""Values that are equal where they are pickled alike, whatever was derived from them meanwhile."""


class PickledAlike:
    """Equal to another of its class and name that is made of the same parts."""

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(self) is type(other)
            and hash(self) == hash(other)
            and self.__reduce__() == other.__reduce__()
        )

    def __hash__(self) -> int:
        return hash((type(self), getattr(self, "name", "")))
