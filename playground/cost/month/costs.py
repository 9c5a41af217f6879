"""What the month of one plan costs on each model."""

from collections.abc import Sequence
from dataclasses import dataclass

from bpe import pricing
from bpe.pricing import BEIJING, Model, Month
from playground.cost.desk import Desk
from playground.cost.month.hours import Hours, peak_share
from playground.cost.month.plan import Plan


@dataclass(frozen=True)
class PlanCosts:
    """A plan's month on each model by id, and how sure its counts are."""

    plan: Plan
    months: dict[str, Month]
    badges: dict[str, str]


def price(desk: Desk, plan: Plan, chosen: Sequence[Model], busy: Hours) -> PlanCosts:
    """Return the month of a plan, at the prices of the desk's day."""
    lengths = plan.lengths(chosen)
    months = {
        model.id: pricing.month(
            model,
            plan.scenario(lengths[model.id], peak_share(model, busy, desk.free_weekends)),
            on=desk.when.astimezone(BEIJING).date(),
            overrides=desk.overrides.get(model.id),
        )
        for model in chosen
    }
    return PlanCosts(plan, months, {name: length.badge for name, length in lengths.items()})
