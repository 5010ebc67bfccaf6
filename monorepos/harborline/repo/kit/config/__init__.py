"""Shared configuration: kit/config/settings.toml and its loader."""

from kit.config.loader import (
    DEFAULT_STORE,
    MissingSetting,
    ServiceSettings,
    SettingsFault,
    SettingsLoader,
    WrongSettingType,
)

__all__ = [
    "DEFAULT_STORE",
    "MissingSetting",
    "ServiceSettings",
    "SettingsFault",
    "SettingsLoader",
    "WrongSettingType",
]
