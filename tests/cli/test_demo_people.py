"""`aboveboard demo people`: two people sign in to one server, and each sees only their own."""

from tests.cli.command import aboveboard

from aboveboard.cli.terminal import widest_line


def test_two_people_sign_in_and_each_is_told_their_own_on_one_screen() -> None:
    ran = aboveboard("demo", "people")
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert len(lines) < 40
    assert [line for line in lines if widest_line(line) > 100] == []
    assert lines[1].startswith("This takes about ten seconds.")
    (ada, bob) = (line for line in lines if line.startswith(("    Ada: ", "    Bob: ")) and "Sales" not in line)
    assert "Ideas" in ada
    assert "Presents" not in ada
    assert bob == "    Bob: Presents, Salary"
    assert any("There is no note" in line for line in lines)
    assert "  her client's next request: 401 Unauthorized; Bob's is answered as before" in lines
    (more, fewer) = (line for line in lines if "Customers & Cafés" in line)
    assert "Finance" in more
    assert "Finance" not in fewer
    assert lines[-4] == "What next"
