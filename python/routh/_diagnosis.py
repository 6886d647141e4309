"""Will a contact hold? The verdict, its reason, and what would change it."""
from __future__ import annotations

import html
import json
from typing import Any, Dict, List, Optional

from . import _core


class Diagnosis:
    """What `routh.diagnose` says of the contacts of a state, or of one contact.

    verdict     of the first contact: 'slides', 'sticks', 'jams', 'strikes', 'detaches', …; None when nothing touches
    contacts    a dictionary for each contact, with all numbers, as `routh diagnose --json` prints them
    sentences   for each contact: the verdict, why, and what would change it
    data        the whole answer
    """

    def __init__(self, data: Dict[str, Any], sentences: List[List[str]]) -> None:
        self.data = data
        self.contacts: List[Dict[str, Any]] = data["contacts"]
        self.sentences = sentences

    @property
    def verdict(self) -> Optional[str]:
        """Of the first contact; None when nothing touches."""
        return str(self.contacts[0]["verdict"]) if self.contacts else None

    def __str__(self) -> str:
        if not self.contacts:
            return "Nothing touches."
        parts = []
        for contact, sentences in zip(self.contacts, self.sentences):
            head = [f"{contact['contact']}:"] if "contact" in contact else []
            parts.append("\n".join(head + sentences))
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"<Diagnosis: {', '.join(str(c['verdict']) for c in self.contacts) or 'nothing touches'}>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(part)}</p>" for part in str(self).split("\n\n")).replace("\n", "<br>")


def diagnose(model: Optional[_core.Model] = None, state: Optional[_core.State] = None, *, law: Optional[str] = None,
             search: bool = True, **contact: Any) -> Diagnosis:
    """Whether contacts hold: of a machine at a state, or of one contact given by its matrices.

    diagnose(model, state=None)             every contact that touches; ``search`` looks for postures that would change
                                            the verdict, which takes a fraction of a second
    diagnose(delassus=…, contact_velocity=…, friction=…, restitution=…, free_acceleration=…)
                                            keywords as for `routh.impact`; ``free_acceleration`` [m/s²] is how the
                                            contact would accelerate without contact force, normal first
    """
    if model is not None:
        if contact:
            raise TypeError(f"diagnose(model, …) got an unexpected argument '{next(iter(contact))}'")
        text, sentences = _core._diagnose_model(model, state, law, search)
    else:
        if state is not None:
            raise TypeError("state is for a model")
        if law is not None:
            contact["law"] = law
        text, sentences = _core._diagnose_contact(contact)
    return Diagnosis(json.loads(text), sentences)
