"""Will a contact hold? The verdict, its reason, and what would change it."""
from __future__ import annotations

import html
import json
from typing import Any, Dict, List, Optional

from . import _core
from ._text import Source, as_model


class Diagnosis:
    """What `routh.diagnose` says of the contacts of a state, or of one contact.

    verdict     where several contacts rest, of all together: 'must hold', 'can hold', 'slides', 'tips', 'lets go',
                'jams', 'unknown'; else of the first contact: 'strikes', 'separates', 'detaches', 'slides',
                'false cohesion', 'jams', 'sticks', 'starts slipping', 'unsolvable', 'unknown'; None when nothing
                touches
    together    where several rest, their solutions and, as `hold`, thresholds of friction, loads and postures; or None
    reasons     on all of them together: the verdict, why, from which friction, what would change it; or empty
    contacts    a dictionary for each contact as if it were alone, with all numbers, as `routh diagnose --json` prints
                them
    sentences   for each contact: the verdict, why, and what would change it
    data        the whole answer
    """

    def __init__(self, data: Dict[str, Any], sentences: List[List[str]], reasons: List[str]) -> None:
        self.data = data
        self.contacts: List[Dict[str, Any]] = data["contacts"]
        self.together: Optional[Dict[str, Any]] = data.get("together")
        self.sentences = sentences
        self.reasons = reasons

    @property
    def verdict(self) -> Optional[str]:
        """Of all that rest together where several do, else of the first contact; None when nothing touches."""
        if self.together is not None and "hold" in self.together:
            return str(self.together["hold"]["verdict"])
        return str(self.contacts[0]["verdict"]) if self.contacts else None

    def __str__(self) -> str:
        if not self.contacts:
            return "Nothing touches."
        parts = ["\n".join(["All together:"] + self.reasons)] if self.reasons else []
        together = self.together["contacts"] if self.together is not None else []
        for contact, sentences in zip(self.contacts, self.sentences):
            alone = ", if it were alone" if contact.get("contact") in together else ""
            head = [f"{contact['contact']}{alone}:"] if "contact" in contact else []
            parts.append("\n".join(head + sentences))
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        alone = ", ".join(str(c["verdict"]) for c in self.contacts)
        if self.reasons:
            return f"<Diagnosis: {self.verdict}; alone: {alone}>"
        return f"<Diagnosis: {alone or 'nothing touches'}>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(part)}</p>" for part in str(self).split("\n\n")).replace("\n", "<br>")


def diagnose(model: Optional[Source] = None, state: Optional[_core.State] = None, *, law: Optional[str] = None,
             search: bool = True, **contact: Any) -> Diagnosis:
    """Whether contacts hold: of a machine at a state, or of one contact given by its matrices.

    diagnose(model, state=None)             of a model, or the path or text of a scene or robot file: every contact that touches; ``search`` looks for postures that would change
                                            the verdict, which takes a fraction of a second
    diagnose(delassus=…, contact_velocity=…, friction=…, restitution=…, free_acceleration=…)
                                            keywords as for `routh.impact`; ``free_acceleration`` [m/s²] is how the
                                            contact would accelerate without contact force, normal first
    """
    if model is not None:
        if contact:
            raise TypeError(f"diagnose(model, …) got an unexpected argument '{next(iter(contact))}'")
        text, sentences, reasons = _core._diagnose_model(as_model(model), state, law, search)
    else:
        if state is not None:
            raise TypeError("state is for a model")
        if law is not None:
            contact["law"] = law
        text, sentences, reasons = _core._diagnose_contact(contact)
    return Diagnosis(json.loads(text), sentences, reasons)
