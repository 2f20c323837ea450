"""Cards as the clients that people use write them, with what only they write: none of it may be lost."""

from typing import Final

from tests.nextcloud.odd_things import text_sent

_PIXEL: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def _crlf(text: str) -> str:
    return text.strip("\n").replace("\n", "\r\n") + "\r\n"


APPLE: Final = text_sent("nc_contacts_update_contact", "the name of an odd one")
GOOGLE: Final = _crlf(
    """
BEGIN:VCARD
VERSION:3.0
UID:google-1
FN:Gina Ørsted
N:Ørsted;Gina;;;
EMAIL;TYPE=INTERNET:gina@example.org
item1.EMAIL;TYPE=INTERNET:gina.work@example.org
item1.X-ABLabel:Arbeit
TEL;TYPE=CELL:+45 20 12 34 56
TEL;CELL:+45 20 99 99 99
ADR;TYPE=HOME:;;Nygade 1;København;;1164;DK;Nygade 1\\nKøbenhavn
ORG:Ørsted A/S
TITLE:Engineer
BDAY:19900229
URL;TYPE=PROFILE:http\\://www.google.com/profiles/1
item2.URL:https\\://example.org
item2.X-ABLabel:_$!<HomePage>!$_
CATEGORIES:myContacts,starred
NOTE:Line one\\nLine two
X-GOOGLE-TALK:gina@example.org
PHOTO;VALUE=uri:https://lh3.example/photo.jpg
END:VCARD
"""
)
THUNDERBIRD: Final = _crlf(
    """
BEGIN:VCARD
VERSION:4.0
N;LANGUAGE=fr:Dupont;Zoé;;;
FN:Zoé Dupont
EMAIL;PREF=1:zoe@example.org
EMAIL;TYPE=work;PREF=2:zoe@work.example
TEL;VALUE=TEXT;TYPE=cell:06 12 34 56 78
ORG;SORT-AS="Durand":Durand et Fils;Caisse
TITLE:Caissière
NICKNAME:Zo
ADR;TYPE=home;LABEL="1 rue de la Paix\\n75002 Paris":;;1 rue de la Paix;Paris;;75002;France
BDAY;VALUE=DATE:19851012
ANNIVERSARY;VALUE=DATE:20100605
NOTE;LANGUAGE=fr:Aime le café\\, pas le thé
URL;VALUE=URL:https://zoe.example
TZ;VALUE=TEXT:Europe/Paris
CATEGORIES:Amis,Travail
X-CUSTOM1;VALUE=TEXT:garder
X-MOZILLA-HTML:FALSE
UID:thunderbird-1
END:VCARD
"""
)
DAVX5: Final = _crlf(
    """
BEGIN:VCARD
VERSION:4.0
PRODID:DAVx5/4.4.4-ose ez-vcard/0.12.1
UID:davx5-1
FN:Iñigo Peña
N:Peña;Iñigo;José,Luis;;
X-PHONETIC-LAST-NAME:penya
TEL;TYPE=cell,voice;PREF=1:+34 600 000 000
davdroid1.TEL:+34 910 000 000
davdroid1.X-ABLabel:Taller
EMAIL;TYPE=home:inigo@example.org
ORG:Peña S.L.;Taller
TITLE:Maestro
ROLE:Carpintero
NOTE:Trae su propia sierra
URL:https://pena.example
IMPP:sip:inigo@example.org
RELATED;TYPE=spouse;VALUE=text:Ana
BDAY:--0229
ANNIVERSARY:20050505
CATEGORIES:Amigos,Trabajo
X-ANDROID-CUSTOM:vnd.android.cursor.item/relation;x;0
REV:20260105T090000Z
ADR;TYPE=work:;;Calle Mayor 1;Madrid;Madrid;28013;España
END:VCARD
"""
)
OUTLOOK: Final = _crlf(
    """
BEGIN:VCARD
VERSION:3.0
PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
UID:040000008200E00074C5B7101A82E008-outlook
N;LANGUAGE=en-us:Smith;Bob;;Mr.;III
FN:Mr. Bob Smith III
ORG:Contoso\\, Ltd.;Sales
TITLE:Vice President
NOTE:Met in Reno.\\n\\n
TEL;WORK;VOICE:(425) 555-0100
TEL;TYPE="CELL,VOICE":(425) 555-0101
ADR;WORK;PREF:;;1 Microsoft Way;Redmond;WA;98052;United States of America
LABEL;TYPE=WORK,PREF:1 Microsoft Way\\nRedmond\\, WA  98052
X-MS-OL-DEFAULT-POSTAL-ADDRESS:2
URL;WORK:http://www.contoso.example
BDAY;VALUE=DATE:1970-11-30
EMAIL;PREF;INTERNET:bob@contoso.example
X-MS-IMADDRESS:bob@contoso.example
X-MS-OL-DESIGN;CHARSET=utf-8:<card xmlns="http://schemas.microsoft.com/office/outlook/12" ver="1.0"/>
CATEGORIES:Business,Key Customer
REV:20260105T090000Z
END:VCARD
"""
)
NEXTCLOUD: Final = _crlf(
    f"""
BEGIN:VCARD
VERSION:4.0
PRODID:-//Nextcloud Contacts v8.0.0
UID:nextcloud-1
FN:Carol Smith
N:Smith;Carol;;;
ADR;TYPE=HOME:;;1 High Street;York;;YO1 7HH;UK
EMAIL;TYPE=WORK;PREF=1:carol@example.org
TEL;TYPE="HOME,VOICE":+44 20 7946 0958
TEL;VALUE=uri;TYPE=cell:tel:+44-7700-900123
TITLE:Editor
ORG:Press
NOTE:Deadlines!
URL:https://press.example
NICKNAME:Caz
BDAY:19790801
CATEGORIES:Work,Friends
GROUP1.IMPP;X-SERVICE-TYPE=XMPP:carol@example.org
X-SOCIALPROFILE;TYPE=mastodon:https://social.example/@carol
X-MANAGERSNAME;X-NC-UID=abc:Boss
REV;VALUE=DATE-AND-OR-TIME:20260101T090000Z
PHOTO;VALUE=URI:data:image/png;base64,{_PIXEL}
END:VCARD
"""
)
ODD: Final = (
    "begin:vcard\nVersion:3.0\nuid:odd-1\nfn;x-a=b:lower case, line feeds only\n"
    'note:folded in\n  the middle\n\tof words\nEmail;Type="home":one@example.org\nno colon here\n'
    "X-EMPTY:\nn:;;;;\nend:vcard"
)

FLAVOURS: Final = {
    "Apple": APPLE,
    "Google": GOOGLE,
    "Thunderbird": THUNDERBIRD,
    "DAVx5": DAVX5,
    "Outlook": OUTLOOK,
    "Nextcloud Contacts": NEXTCLOUD,
    "an odd one": ODD,
}
