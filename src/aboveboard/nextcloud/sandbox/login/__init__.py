"""How people and programs log in: web sessions, app passwords, and the flow that makes one for a program."""
