-- SPDX-License-Identifier: Apache-2.0
-- The engine: everything that several processes must agree on is a row here.

CREATE TABLE schedule (
    name text PRIMARY KEY,
    every interval NOT NULL,
    -- The instant of the next tick, and that tick's number; 'infinity' after the last one.
    next_at timestamptz NOT NULL,
    number bigint NOT NULL DEFAULT 0,
    ticks bigint NOT NULL,
    -- How long the job takes, outside of the database.
    work interval NOT NULL
);

-- A row for each tick that has fired. The key makes a second one impossible.
CREATE TABLE tick (
    schedule text REFERENCES schedule,
    number bigint,
    due timestamptz NOT NULL,
    fired_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    process int NOT NULL,
    PRIMARY KEY (schedule, number)
);

-- The effect of a tick: not idempotent, so that a tick that fires twice shows.
CREATE TABLE account (
    schedule text PRIMARY KEY REFERENCES schedule,
    balance bigint NOT NULL DEFAULT 0
);

-- New schedules wake the processes. They find the ticks of old ones by themselves.
CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NOTIFY schedule;
    RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER INSERT ON schedule FOR EACH STATEMENT EXECUTE FUNCTION announce();
