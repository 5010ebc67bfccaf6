-- Sizes, shares and rights; one row a line. See docs/shared/pools.md.
INSERT INTO pool VALUES ('analyzer-positions', 120, 12, 'positions', 45, 'Free positions of the chemistry line');
INSERT INTO pool VALUES ('transport-boxes', 40, 4, 'boxes', 480, 'Refrigerated boxes with a logger');
INSERT INTO pool VALUES ('partner-lines', 24, 4, 'connections', 15, 'Outgoing connections of the firewall');
INSERT INTO pool VALUES ('render-workers', 16, 2, 'workers', 20, 'Workers that lay out documents');
INSERT INTO pool VALUES ('cold-store', 500, 40, 'positions', 20160, 'Rack positions in the cold store');

INSERT INTO share VALUES ('analyzer-positions', 'benches', 60, 90);
INSERT INTO share VALUES ('analyzer-positions', 'results', 16, 40);
INSERT INTO share VALUES ('analyzer-positions', 'accession', 8, 20);
INSERT INTO share VALUES ('transport-boxes', 'couriers', 24, 34);
INSERT INTO share VALUES ('transport-boxes', 'notices', 2, 6);
INSERT INTO share VALUES ('partner-lines', 'reporting', 6, 12);
INSERT INTO share VALUES ('partner-lines', 'claims', 6, 10);
INSERT INTO share VALUES ('partner-lines', 'notices', 2, 6);
INSERT INTO share VALUES ('render-workers', 'reporting', 8, 12);
INSERT INTO share VALUES ('render-workers', 'claims', 2, 6);
INSERT INTO share VALUES ('cold-store', 'results', 300, 420);
INSERT INTO share VALUES ('cold-store', 'notices', 40, 80);
INSERT INTO share VALUES ('cold-store', 'accession', 60, 120);

INSERT INTO reserve_right VALUES ('analyzer-positions', 'benches', 12);
INSERT INTO reserve_right VALUES ('partner-lines', 'notices', 4);
INSERT INTO reserve_right VALUES ('cold-store', 'notices', 20);

INSERT INTO burst VALUES ('partner-lines', 'claims', '22:00-05:00', 6);
INSERT INTO burst VALUES ('render-workers', 'claims', '22:00-05:00', 4);
INSERT INTO burst VALUES ('analyzer-positions', 'benches', '06:00-09:00', 10);

INSERT INTO lend VALUES ('render-workers', 'reporting', '23:00-05:00');
