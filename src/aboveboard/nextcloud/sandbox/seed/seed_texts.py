"""What the people of the first state wrote."""

DOCUMENTS = {
    "Readme.md": "# Welcome\n\nThis is a sandbox: change what you like, a reset brings everything back.\n",
    "Documents/budget.csv": "item,euros\nwood,120\nscrews,8\npaint,35\n",
    "Documents/Meetings/2026-01-02 kick-off.md": "# Kick-off\n\n- Ada plans\n- Bob builds\n",
    "Documents/letter.txt": "Dear Bob,\n\nthe shed needs a roof.\n\nAda\n",
    "Projects/shed/materials.md": "# Materials\n\n| what | count |\n| --- | --- |\n| boards | 24 |\n| nails | 300 |\n",
    "Projects/shed/drawings/notes.txt": "Two metres by three.\n",
    "Projects/garden.md": "# Garden\n\nBeans, peas, a pond.\n",
    "Public/flyer.md": "# Open day\n\nSaturday from ten.\n",
    "Public/price list.csv": "thing,euros\nshed,900\n",
}

ODD_NAMES = (
    "with space.txt",
    "hash#tag.txt",
    "100% sure.txt",
    "a+b=c&d.txt",
    "percent%20literal.txt",
    "emoji 🚀 ünï.txt",
    "日本語ファイル.txt",
    'quote\'s "double".txt',
    "semi;colon,comma.txt",
    "brackets[1](2){3}.txt",
    "question?.txt",
    f"{'long ' * 39}name.txt",
)

NOTES = {
    "Ideas": "A bench in front of the shed.\nA swing for the children.\n",
    "Passphrases": "None here, this is a sandbox.\n",
    "Reading": "# Reading\n\n- The Old Ways\n- Shop Class as Soulcraft\n",
    "Home/Shopping 🛒": "- milk\n- eggs\n- oat flakes\n",
    "Home/Repairs": "- [ ] kitchen tap\n- [x] cellar light\n",
    "Home/Lists/Birthdays": "Bob: 3 May\nCarol: 12 October\n",
    "Home/Paint colours": "The swatch is attached.\n",
    "Work/Shed": "# Shed\n\nThe roof comes first. Boards are ordered.\n",
    "Work/Meetings/Kick-off": "Ada plans, Bob builds. Next meeting on Monday.\n",
    "Work/Meetings/Retrospective": "Measure twice.\n",
    "Work/Übersicht & Größen": "Zwei mal drei Meter, Höhe 2,20.\n",
    "Recipes/Porridge": "Oats, milk, salt. Ten minutes.\n",
}
