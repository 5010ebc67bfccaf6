"""Weight, volume and floor space, and what freight is charged on."""

from __future__ import annotations

from decimal import ROUND_UP, Decimal

# Kilograms that one cubic metre counts for, by mode code.
_KG_PER_CBM = {"FCL": Decimal(1000), "LCL": Decimal(1000), "FTL": Decimal(333), "LTL": Decimal(333)}
_KG_PER_LOADING_METRE = Decimal(1850)
_TRAILER_WIDTH_M = Decimal("2.4")


def volume_cbm(length_cm: int, width_cm: int, height_cm: int, pieces: int = 1) -> Decimal:
    return (Decimal(length_cm * width_cm * height_cm * pieces) / 1_000_000).quantize(Decimal("0.001"), ROUND_UP)


def loading_metres(length_cm: int, width_cm: int, pieces: int = 1, stackable: bool = False) -> Decimal:
    """Trailer length taken up over its full width; stackable goods share a floor."""
    floor_m2 = Decimal(length_cm * width_cm) / 10_000 * pieces
    metres = floor_m2 / _TRAILER_WIDTH_M
    return (metres / 2 if stackable else metres).quantize(Decimal("0.01"), ROUND_UP)


def chargeable_kg(mode: str, weight_kg: Decimal, cbm: Decimal, metres: Decimal = Decimal(0)) -> Decimal:
    """The dearest of actual weight, volume and, on the road, floor space."""
    try:
        candidates = [weight_kg, cbm * _KG_PER_CBM[mode]]
    except KeyError:
        raise ValueError(f"no volume rule for mode {mode!r}") from None
    if mode in ("FTL", "LTL"):
        candidates.append(metres * _KG_PER_LOADING_METRE)
    return max(candidates).quantize(Decimal(1), ROUND_UP)
