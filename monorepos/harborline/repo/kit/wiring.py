"""Puts the pieces together. Entry points build one Kit and pass it to services."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit import access, capacity, config, flags, telemetry, vendoring
from kit.access import Authoriser
from kit.capacity import PoolAllocator
from kit.clock import Clock
from kit.codes.ledger import StatusLedger
from kit.config import ServiceSettings, SettingsLoader
from kit.exchange.charges import ChargeCalculator
from kit.exchange.documents import DocumentRenderer
from kit.exchange.intake import Intake
from kit.exchange.outbox import Outbox
from kit.flags import FlagBoard
from kit.gateway import GatewayClient, Transport
from kit.telemetry import Telemetry
from kit.vendoring import EdiDesk, LabelDesk, VendorShelf


@dataclass(frozen=True)
class Stores:
    """Where the shared files are; the defaults are the ones in this repository."""

    settings: Path = config.DEFAULT_STORE
    flags: Path = flags.DEFAULT_STORE
    pools: Path = capacity.DEFAULT_STORE
    roles: Path = access.DEFAULT_STORE
    alerts: Path = telemetry.DEFAULT_STORE
    vendor: Path = vendoring.DEFAULT_ROOT
    ledger: str = ":memory:"


@dataclass(frozen=True)
class Kit:
    clock: Clock
    settings: SettingsLoader
    flags: FlagBoard
    access: Authoriser
    pools: PoolAllocator
    telemetry: Telemetry
    shelf: VendorShelf
    ledger: StatusLedger
    intake: Intake
    outbox: Outbox
    documents: DocumentRenderer
    charges: ChargeCalculator
    edi: EdiDesk
    labels: LabelDesk

    @classmethod
    def standard(cls, clock: Clock, stores: Stores = Stores()) -> Kit:
        settings = SettingsLoader(stores.settings)
        recorder = Telemetry(clock, stores.alerts)
        shelf = VendorShelf(stores.vendor)
        return cls(
            clock=clock,
            settings=settings,
            flags=FlagBoard(stores.flags),
            access=Authoriser(clock, recorder, stores.roles),
            pools=PoolAllocator(clock, recorder, stores.pools),
            telemetry=recorder,
            shelf=shelf,
            ledger=StatusLedger(stores.ledger),
            intake=Intake(settings),
            outbox=Outbox(clock, settings, recorder),
            documents=DocumentRenderer(settings),
            charges=ChargeCalculator(settings),
            edi=EdiDesk(shelf),
            labels=LabelDesk(shelf),
        )

    def view(self, service: str) -> ServiceSettings:
        return self.settings.for_service(service)

    def gateway(self, service: str, transport: Transport) -> GatewayClient:
        return GatewayClient(
            service, transport, self.clock, self.settings, self.flags, self.pools, self.telemetry
        )
