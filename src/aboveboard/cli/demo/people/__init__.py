"""`aboveboard demo people`: two people sign in to one server in browsers of their own, and each sees only their own."""
