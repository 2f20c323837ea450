"""What the sandboxes of all services are made of: a store, tables that say what they show, routes, the application.

Only what is the same for every service is here; how Express or Apache, PHP and sabre behave stays with the sandbox that
imitates them. Like these, it shares no code with a client, the tools, the kit or the HTTP layer.

    table.py      a table, with what a dump of the state makes of its columns
    store.py      the database: a clock and ids that start anew at each reset, the dump, the mark of a state
    routes.py     which function answers a path, found segment by segment and still encoded
    wire.py       a response, and reading a body
    parts.py      the modules of a sandbox are found by walking its package: nothing is listed by hand
    app.py        the web application, with the control routes below /_sandbox/, for which control.py asks a token
    data_file.py  how the file of a sandbox is told from anybody else's
    backend.py    what every sandbox can do: reset, dump, close
"""
