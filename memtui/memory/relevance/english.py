"""English words for searching: which say how something is asked and not what, and how words lose their endings (ours).

Both lists are closed classes of the language: function words, and the verbs and nouns whose forms follow no rule.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

STOP_WORDS = frozenset(
    """
a about after again all also am an and any are as at be because been before being both but by can could did
do does doing done during each either ever every few for from get gets getting give gives go goes going got
had has have having he her here hers him his how i if in into is it its itself just let lets like make makes
many may me might mine more most much must my no nor not now of off on once only or other our ours out over
own please same shall she should so some such sure tell than that the their theirs them then there these
they thing things this those through to too under until up us very want was way we well were what when where
which while who whom whose why will with would yes yet you your yours
""".split()  # noqa: SIM905  -- as a list it would be two hundred lines
)
"""Words that say how something is asked or told, not what."""
ASKING_WORDS = frozenset(
    """
allow allowed allows forbid forbidden fine mean means meant need needed needs ok okay permit permits permitted possible
reason supposed use used using work works
""".split()  # noqa: SIM905  -- as above
)
"""Words that a question may have beside what it asks for: where no memory holds one, nothing is missing."""

_IRREGULAR = """
arise arose arisen|bear bore|beat beaten|become became|begin began begun|bend bent|bind bound|bite bit bitten|bleed bled
blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen
come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten
fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden
forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|give gave given|go went gone|grind ground|grow grew grown|hang hung
hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|learn learnt|leave left
lend lent|light lit|lose lost|mean meant|meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken
shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|smell smelt
speak spoke spoken|spend spent|spill spilt|spin spun|spoil spoilt|stand stood|steal stole stolen|stick stuck|strike struck
swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
throw threw thrown|understand understood|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|wind wound
withdraw withdrew withdrawn|write wrote written|child children|man men|woman women|person people|foot feet|tooth teeth
goose geese|mouse mice|wife wives|life lives|knife knives|leaf leaves|shelf shelves|loaf loaves|half halves|wolf wolves|thief thieves
"""


@cache
def _regular() -> dict[str, str]:
    """Forms that follow no rule, each with the form that the stemmer understands."""
    groups = (group.split() for group in _IRREGULAR.replace("\n", "|").split("|"))
    return {form: group[0] for group in groups if group for form in group[1:]}


@cache
def _stemmer() -> Any:  # noqa: ANN401  -- the package has no types
    import snowballstemmer  # noqa: PLC0415  -- loaded when somebody searches

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """A folded word's stem: English words lose their endings, any other word stays as it is."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    found: str = _stemmer().stemWord(_regular().get(word, word))
    return found
