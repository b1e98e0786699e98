"""What the screens say, one module a screen: a frozen dataclass of sentences and its two instances, ``EN`` and ``ZH``."""
