"""A budget keeps a bot within its time, whatever a deal costs."""

from ordago_bot.search import Budget


def test_with_time_enough_all_deals_of_a_level_are_imagined() -> None:
    budget = Budget()
    for _ in range(3):
        assert budget.worlds(1200, left=10.0) == 1200
        budget.took(1200, seconds=0.08)


def test_a_short_time_is_kept_from_the_first_decision_on() -> None:
    """Whatever a deal costs, from 10 microseconds to 4 milliseconds, a decision stays within the time left."""
    for cost in (0.00001, 0.0004, 0.004):
        budget = Budget()
        for _ in range(50):
            worlds = budget.worlds(300, left=0.05)
            assert worlds >= 1
            assert worlds * cost < 0.05
            budget.took(worlds, seconds=worlds * cost)


def test_a_budget_bounds_a_decision_that_has_more_time() -> None:
    budget = Budget(seconds=0.004)
    budget.took(100, seconds=0.04)
    assert budget.worlds(300, left=10.0) == 10


def test_cheap_decisions_do_not_hide_at_once_what_a_deal_can_cost() -> None:
    budget = Budget()
    budget.took(300, seconds=0.3)
    for _ in range(30):
        budget.took(300, seconds=0.0)
    assert budget.worlds(300, left=0.05) < 25
