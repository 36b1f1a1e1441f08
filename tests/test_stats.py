from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punctum.stats import Ratios, bootstrap


def plain_bootstrap(ratios: Ratios, n_resamples: int, seed: int) -> np.ndarray:
    """The textbook's: draw clusters with replacement, sum, divide."""
    generator = np.random.default_rng(seed)
    c = len(ratios.numerators)
    values = []
    for _ in range(n_resamples):
        drawn = generator.integers(0, c, size=c)
        values.append(ratios.numerators[drawn].sum(0) / ratios.denominators[drawn].sum(0))
    return np.array(values)


def test_agrees_with_the_textbook_bootstrap() -> None:
    generator = np.random.default_rng(1)
    sizes = generator.integers(1, 5, size=200)
    ratios = Ratios(generator.binomial(sizes, 0.6)[:, None].astype(float), sizes[:, None].astype(float))
    [interval] = bootstrap(ratios, n_resamples=4000, seed=2)
    assert interval is not None
    plain = np.quantile(plain_bootstrap(ratios, 4000, 3)[:, 0], [0.025, 0.975])
    assert np.allclose(interval, plain, atol=0.006)


def test_questions_of_one_picture_widen_the_interval() -> None:
    """100 answers that agree within 10 pictures say no more than 10 answers."""
    rows = [float(i % 2) for i in range(10) for _ in range(10)]
    alone = Ratios.from_rows(range(100), rows)
    together = Ratios.from_rows([i // 10 for i in range(100)], rows)

    def width(ratios: Ratios) -> float:
        [pair] = bootstrap(ratios)
        assert pair is not None
        return pair[1] - pair[0]

    assert width(together) > 2.5 * width(alone)


def test_a_derived_value_is_resampled_with_its_parts() -> None:
    """The difference of two equal columns has no spread, though each column has."""
    values = np.random.default_rng(0).integers(0, 2, size=(50, 1)).astype(float)
    ratios = Ratios(np.repeat(values, 2, axis=1), np.ones((50, 2)))
    [difference] = bootstrap(ratios, lambda r: r[:, :1] - r[:, 1:])
    assert difference == (0.0, 0.0)
    assert all(pair is not None and pair[0] < pair[1] for pair in bootstrap(ratios))


def test_one_cluster_has_no_interval() -> None:
    assert bootstrap(Ratios.from_rows(["only", "only"], [1.0, 0.0])) == [None]


def test_an_empty_column_has_no_interval() -> None:
    ratios = Ratios.from_rows(["a", "b"], [1.0, 0.0], column=[0, 0], m=2)
    assert bootstrap(ratios)[1] is None
    assert np.isnan(ratios.values()[1])


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=60), st.integers(0, 3))
def test_intervals_lie_in_range_and_do_not_depend_on_order(rows: list[tuple[int, bool]], seed: int) -> None:
    def interval(order: list[tuple[int, bool]]) -> tuple[float, float] | None:
        ratios = Ratios.from_rows([c for c, _ in order], [float(v) for _, v in order])
        return bootstrap(ratios, n_resamples=50, seed=seed)[0]

    found = interval(rows)
    assert found == interval(rows[::-1])
    if found is not None:
        assert 0 <= found[0] <= found[1] <= 1


@pytest.mark.parametrize(("name", "value"), [("confidence_level", 95), ("confidence_level", 0), ("n_resamples", 0)])
def test_bad_settings_are_named(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        bootstrap(Ratios.from_rows(["a", "b"], [1.0, 0.0]), **{name: value})  # type: ignore[arg-type]


def test_nothing_to_resample() -> None:
    with pytest.raises(ValueError, match="no clusters"):
        bootstrap(Ratios(np.zeros((0, 1)), np.zeros((0, 1))))
