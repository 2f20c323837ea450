from tests.patience import MOST, factor, patience


def test_a_deadline_grows_with_the_load_and_never_shrinks() -> None:
    assert factor(load=0.1, slowness=0.3) == 1.0
    assert factor(load=4.0, slowness=2.0) == 4.0
    assert factor(load=1.0, slowness=3.0) == 3.0
    assert factor(load=1000.0, slowness=1.0) == MOST
    assert 5.0 <= patience(5.0) <= 5.0 * MOST
