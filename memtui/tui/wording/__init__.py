"""What the screens say, one module a screen: a tuple of named sentences and its two instances, ``EN`` and ``ZH``.

Not a dataclass: making one of sixty fields takes thirty times as long, and there is one for each part of the screen.
"""
