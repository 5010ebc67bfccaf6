"""The tariff: procedure codes, prices, and the bundling of panels."""

from decimal import Decimal

from lumen.base.errors import InputError
from lumen.shared import flags
from lumen.shared.workup import charges
from lumen.units.accession.compendium import PANELS

UNIT = "claims"

_PRICES = {
    "GLU": ("32057", "2.33"), "NA": ("32083", "1.55"), "K": ("32081", "1.55"),
    "CREA": ("32067", "2.15"), "UREA": ("32065", "2.15"), "ALT": ("32070", "2.15"),
    "CRP": ("32461", "6.90"), "TSH": ("32101", "9.65"), "FT4": ("32320", "11.40"),
    "HB": ("32038", "1.10"), "WBC": ("32036", "1.10"), "PLT": ("32037", "1.10"),
    "INR": ("32026", "5.55"), "APTT": ("32112", "4.15"),
    "HBSAG": ("32781", "12.75"), "MEASM": ("32629", "18.35"),
    "LEGAG": ("32790", "21.05"), "SALM": ("32720", "16.45"),
}
_BUNDLES = {
    "ELEC": ("32880", "2.60"), "RENAL": ("32881", "5.95"),
    "COUNT": ("32120", "2.75"), "CLOT": ("32890", "8.40"),
}

# Payers with a contract: discount in per cent, cohort for flags.
PAYERS = {
    "north-mutual": {"discount": Decimal("5"), "cohort": "statutory"},
    "county-fund": {"discount": Decimal("0"), "cohort": "statutory"},
    "guild-private": {"discount": Decimal("-15"), "cohort": "private"},
}


def _bundled(tests):
    """(bundle codes, rest): panels all of whose tests are there, largest first.

    A test counts for one bundle only, which is why potassium of a renal panel
    is not charged again with the electrolytes.
    """
    rest, bundles = list(tests), []
    for name in sorted(PANELS, key=lambda name: (-len(PANELS[name]), name)):
        if set(PANELS[name]) <= set(rest):
            bundles.append(name)
            rest = [test for test in rest if test not in PANELS[name]]
    return bundles, rest


def lines_for(site, payer, tests):
    """Charge lines, unpriced, for examined tests."""
    if payer not in PAYERS:
        raise InputError(f"no contract with {payer!r}", field="payer")
    bundles, rest = [], list(tests)
    if flags.enabled(site, "bundle-panels", UNIT, payer, [PAYERS[payer]["cohort"]]):
        bundles, rest = _bundled(tests)
    chosen = [(name, *_BUNDLES[name]) for name in bundles] + [(test, *_PRICES[test]) for test in rest]
    return [{"item": item, "code": code, "quantity": 1, "unit_price": price} for item, code, price in chosen]


def quote(site, payer, tests):
    """Priced lines and total under the payer's contract; a surcharge is a negative discount."""
    return charges.price(site, UNIT, lines_for(site, payer, tests), PAYERS[payer]["discount"])
