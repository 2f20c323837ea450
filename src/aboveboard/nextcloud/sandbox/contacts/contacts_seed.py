"""The first contacts: the example that every new account gets, and cards as different clients write them."""

from base64 import b64encode

from aboveboard.nextcloud.sandbox.contacts.contacts import new_book, write_card
from aboveboard.nextcloud.sandbox.files.pictures import png
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.sandbox.store import Seed

EXAMPLE = """\
BEGIN:VCARD
VERSION:3.0
PRODID:-//Sabre//Sabre VObject 4.5.6//EN
UID:38d88ab9-3d10-418a-976f-93bf1eaea991
FN:Leon Green
ADR;TYPE=HOME:;;123 Street Street;City;State;;Country
EMAIL;TYPE=HOME:leon@example.com
TEL;TYPE=HOME,VOICE:+999999999999
PHOTO;ENCODING=b;TYPE=PNG:{photo}
END:VCARD
"""
BY_A_PHONE = """\
BEGIN:VCARD
VERSION:3.0
PRODID:-//Apple Inc.//iOS 18.1//EN
UID:5a3c1f7e-apple
N:Müller;Käthe;;;
FN:Käthe Müller
ORG:Tischlerei Müller;Büro
item1.EMAIL;type=INTERNET;type=pref:kaethe@example.org
item1.X-ABLabel:_$!<Work>!$_
TEL;type=CELL;type=VOICE;type=pref:+49 151 5550101
item2.ADR;type=HOME:;;Am Markt 3;Köln;;50667;Deutschland
item2.X-ABADR:de
BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-21
CATEGORIES:Friends
NOTE:Measures twice\\, cuts once.
END:VCARD
"""
BY_THE_WEB = """\
BEGIN:VCARD
VERSION:4.0
PRODID:-//Nextcloud Contacts v8.0.0
UID:9d0f2c4b-web
FN:Carol Smith
N:Smith;Carol;;;
EMAIL;TYPE=WORK;PREF=1:carol@example.org
TEL;TYPE="HOME,VOICE":+44 20 7946 0958
BDAY:19790801
CATEGORIES:Work,Friends
X-SOCIALPROFILE;TYPE=mastodon:https://social.example/@carol
REV:20260101T090000Z
END:VCARD
"""
OF_THE_CLUB = """\
BEGIN:VCARD
VERSION:3.0
UID:club-treasurer
FN:Dieter Kasse
N:Kasse;Dieter;;;
EMAIL;TYPE=HOME:dieter@example.org
TITLE:Treasurer
END:VCARD
"""


def fill(store: Store) -> None:
    """Give everybody a book with the example, and admin some people and a second book, which bob may read."""
    photo = b64encode(png(4, 4)).decode()
    for uid in ("admin", "bob"):
        book = new_book(store, uid, "contacts", "Contacts")
        _card(store, book, "default", EXAMPLE.format(photo=photo))
        if uid == "admin":
            _card(store, book, "5a3c1f7e-apple.vcf", BY_A_PHONE)
            _card(store, book, "9d0f2c4b-web.vcf", BY_THE_WEB)
    club = new_book(store, "admin", "club", "Sports club", "Who plays on Sundays")
    _card(store, club, "treasurer.vcf", OF_THE_CLUB)
    store.insert("addressbook_shares", book=club, uid="bob", writable=0)


seed = Seed(fill)


def _card(store: Store, book: int, uri: str, text: str) -> None:
    store.tick()
    write_card(store, book, uri, text.replace("\n", "\r\n"))
