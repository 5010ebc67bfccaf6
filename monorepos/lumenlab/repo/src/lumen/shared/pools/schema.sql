-- Ledger of capacity. Amounts are whole units of the pool (pool.unit).
CREATE TABLE pool (
    name TEXT PRIMARY KEY,
    size INTEGER NOT NULL CHECK (size > 0),
    reserve INTEGER NOT NULL DEFAULT 0 CHECK (reserve >= 0),
    unit TEXT NOT NULL,
    hold_minutes INTEGER NOT NULL DEFAULT 60,
    note TEXT NOT NULL DEFAULT ''
);
-- floor: kept free for the unit at any time; cap: the most it may hold.
CREATE TABLE share (
    pool TEXT NOT NULL REFERENCES pool (name),
    unit TEXT NOT NULL,
    floor INTEGER NOT NULL CHECK (floor >= 0),
    cap INTEGER NOT NULL CHECK (cap >= floor),
    PRIMARY KEY (pool, unit)
);
-- How much of the reserve a unit may draw when the open part is used up.
CREATE TABLE reserve_right (
    pool TEXT NOT NULL REFERENCES pool (name),
    unit TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    PRIMARY KEY (pool, unit)
);
-- Within the hours ("HH:MM-HH:MM", may span midnight) the cap is higher.
CREATE TABLE burst (
    pool TEXT NOT NULL REFERENCES pool (name),
    unit TEXT NOT NULL,
    hours TEXT NOT NULL,
    extra INTEGER NOT NULL CHECK (extra > 0),
    PRIMARY KEY (pool, unit, hours)
);
-- Within the hours the unit's floor is lent out and protects nobody.
CREATE TABLE lend (
    pool TEXT NOT NULL REFERENCES pool (name),
    unit TEXT NOT NULL,
    hours TEXT NOT NULL,
    PRIMARY KEY (pool, unit, hours)
);
CREATE TABLE lease (
    id INTEGER PRIMARY KEY,
    pool TEXT NOT NULL REFERENCES pool (name),
    unit TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    from_reserve INTEGER NOT NULL DEFAULT 0,
    taken_at TEXT NOT NULL,
    until TEXT NOT NULL,
    released_at TEXT
);
