"""One server for many people: who they are, what each granted to which AI client, and the pages where they do so.

Nothing here is imported by a server that serves one person; its libraries are the extra `team`.
"""
