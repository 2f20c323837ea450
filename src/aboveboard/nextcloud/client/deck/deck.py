"""Deck: boards, stacks, cards, and what belongs to them, one attribute per URL family."""

from aboveboard.http import Session
from aboveboard.nextcloud.client.deck.api import DeckApi
from aboveboard.nextcloud.client.deck.attachments import Attachments
from aboveboard.nextcloud.client.deck.boards import Boards
from aboveboard.nextcloud.client.deck.card_changes import CardChanges
from aboveboard.nextcloud.client.deck.cards import Cards
from aboveboard.nextcloud.client.deck.comments import CardComments
from aboveboard.nextcloud.client.deck.labels import Labels
from aboveboard.nextcloud.client.deck.members import Members
from aboveboard.nextcloud.client.deck.stacks import Stacks


class Deck:
    """The Deck app of one instance, seen by one user."""

    def __init__(self, session: Session) -> None:
        api = DeckApi(session)
        self.boards = Boards(api)
        self.members = Members(api, self.boards)
        self.stacks = Stacks(api, self.boards)
        self.labels = Labels(api, self.boards)
        self.cards = Cards(api)
        self.card_changes = CardChanges(api, self.cards, self.boards)
        self.comments = CardComments(session)
        self.attachments = Attachments(api, self.cards)
