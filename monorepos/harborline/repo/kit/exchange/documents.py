"""Prints the documents listed in kit.exchange.layouts as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from kit.codes import wire
from kit.config import SettingsLoader
from kit.errors import HarborlineError
from kit.exchange.layouts import DOCUMENTS, Document, DocumentField
from kit.helpers.dates import format_day
from kit.helpers.money import format_money
from kit.helpers.tables import TableColumn, render_table
from kit.helpers.text import clip, squash


class UnknownDocument(HarborlineError, LookupError):
    pass


class DocumentRenderer:
    def __init__(self, settings: SettingsLoader, documents: Mapping[str, Document] = DOCUMENTS) -> None:
        self._settings = settings
        self._documents = documents

    def render(self, kind: str, values: Mapping[str, Any], lines: Iterable[Mapping[str, Any]] = ()) -> str:
        try:
            document = self._documents[kind]
        except KeyError:
            raise UnknownDocument(f"no document {kind!r}") from None
        settings = self._settings.for_service(document.service)
        width = settings.integer("document_width_chars")
        currency = values.get("currency", settings.text("currency"))
        label_width = max(len(field.title) for field in document.fields) + 2
        out = [document.heading, "=" * len(document.heading)]
        for field in document.fields:
            shown = self._format(field, values, currency)
            out.append(f"{field.title + ':':<{label_width}}{clip(shown, width - label_width)}")
        if document.lines:
            columns = [TableColumn(field.title, wide, field.style == "money") for field, wide in document.lines]
            rows = [[self._format(field, row, currency) for field, _ in document.lines] for row in lines]
            out += ["", render_table(columns, rows)]
        if document.footer:
            out += ["", clip(document.footer, width)]
        return "\n".join(out) + "\n"

    def _format(self, field: DocumentField, values: Mapping[str, Any], currency: str) -> str:
        if field.name not in values:
            raise KeyError(f"the document needs {field.name!r}")
        value = values[field.name]
        if isinstance(value, Enum):
            return wire.label(value)
        if field.style == "money":
            return format_money(Decimal(value), currency)
        if field.style == "kilograms":
            return f"{Decimal(value):,.1f} kg"
        if field.style == "instant" and isinstance(value, datetime):
            return f"{format_day(value.date(), 'document')} {value:%H:%M} UTC"
        if field.style == "day" and isinstance(value, date):
            return format_day(value, "document")
        return squash(str(value))
