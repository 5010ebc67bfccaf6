"""Vendored packages: which version a service gets, and the desks that use them."""

from kit.vendoring.desks import EdiDesk, LabelDesk
from kit.vendoring.resolver import DEFAULT_ROOT, NotVendored, PinFault, VendorShelf

__all__ = ["DEFAULT_ROOT", "EdiDesk", "LabelDesk", "NotVendored", "PinFault", "VendorShelf"]
