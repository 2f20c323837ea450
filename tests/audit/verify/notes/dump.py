"""A command that prints what a GET of a URL answers, or a POST with `{}`: python dump.py URL [POST]."""

import os
import sys

sys.path.insert(0, f"{os.path.dirname(os.path.realpath(__file__))}/../../../..")

from tests.audit.liars.watched.rest import exchange

POST = sys.argv[2:] == ["POST"]
sys.stdout.write(exchange("POST", sys.argv[1], b"{}")[2].decode() if POST else exchange("GET", sys.argv[1])[2].decode())
