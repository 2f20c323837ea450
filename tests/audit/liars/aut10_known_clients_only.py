"""AUT10: no client is taken that is not known already."""

from tests.audit.liars.gate import gate

RULE = "AUT10"
GATE = gate(sign_in={"client_id_metadata_document_supported": None})
