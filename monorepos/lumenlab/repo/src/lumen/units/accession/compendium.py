"""Directory of tests: what is examined, in what material, how long it keeps.

Volumes are dead volume included, in microlitres. Stability is from draw to
examination at the given storage, in hours.
"""

from lumen.base.errors import InputError

# code, name, department, material, microlitres, stability h, chilled, unit, molar mass
_TESTS = (
    ("GLU", "Glucose", "CHEMISTRY", "SERUM", 80, 8, False, "mmol/L", "180.16"),
    ("NA", "Sodium", "CHEMISTRY", "SERUM", 60, 48, False, "mmol/L", "22.99"),
    ("K", "Potassium", "CHEMISTRY", "SERUM", 60, 6, False, "mmol/L", "39.10"),
    ("CREA", "Creatinine", "CHEMISTRY", "SERUM", 80, 72, False, "umol/L", "113.12"),
    ("UREA", "Urea", "CHEMISTRY", "SERUM", 80, 72, False, "mmol/L", "60.06"),
    ("ALT", "Alanine aminotransferase", "CHEMISTRY", "SERUM", 90, 72, True, "U/L", None),
    ("CRP", "C-reactive protein", "CHEMISTRY", "SERUM", 70, 72, True, "mg/L", None),
    ("TSH", "Thyrotropin", "CHEMISTRY", "SERUM", 200, 120, True, "mU/L", None),
    ("FT4", "Free thyroxine", "CHEMISTRY", "SERUM", 150, 120, True, "pmol/L", None),
    ("HB", "Haemoglobin", "HAEMATOLOGY", "EDTA_BLOOD", 200, 24, False, "g/L", None),
    ("WBC", "Leucocytes", "HAEMATOLOGY", "EDTA_BLOOD", 200, 24, False, "G/L", None),
    ("PLT", "Platelets", "HAEMATOLOGY", "EDTA_BLOOD", 200, 12, False, "G/L", None),
    ("INR", "Prothrombin time, INR", "COAGULATION", "CITRATE", 450, 24, False, "", None),
    ("APTT", "Partial thromboplastin time", "COAGULATION", "CITRATE", 450, 4, False, "s", None),
    ("HBSAG", "Hepatitis B surface antigen", "SEROLOGY", "SERUM", 250, 120, True, "index", None),
    ("MEASM", "Measles IgM", "SEROLOGY", "SERUM", 200, 120, True, "index", None),
    ("LEGAG", "Legionella antigen", "MICROBIOLOGY", "URINE", 500, 24, True, "index", None),
    ("SALM", "Salmonella culture", "MICROBIOLOGY", "STOOL", 1000, 24, True, "growth", None),
)

PANELS = {
    "ELEC": ("NA", "K"),
    "RENAL": ("NA", "K", "CREA", "UREA"),
    "COUNT": ("HB", "WBC", "PLT"),
    "CLOT": ("INR", "APTT"),
}

_FIELDS = (
    "code", "name", "department", "material", "microlitres",
    "stability_hours", "chilled", "unit", "molar_mass",
)


def entry(code):
    """Entry of a test."""
    for row in _TESTS:
        if row[0] == code:
            return dict(zip(_FIELDS, row))
    raise InputError(f"no test {code!r} in the directory", field="tests")


def expand(codes):
    """Single tests of a list of tests and panels, each once, in order."""
    tests = []
    for code in codes:
        for test in PANELS.get(code.upper(), (code.upper(),)):
            entry(test)
            if test not in tests:
                tests.append(test)
    return tests


def tightest_hours(tests):
    """Stability of the least stable of `tests`, in hours."""
    return min(entry(test)["stability_hours"] for test in tests)
