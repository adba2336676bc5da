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
    work interval NOT NULL,
    -- Attempts at the tick that have failed, when the next one is due, and why the last one failed.
    failures int NOT NULL DEFAULT 0,
    retry_at timestamptz NOT NULL DEFAULT '-infinity',
    error text,
    -- How many attempts a tick has. After the last one it is a dead letter.
    attempts int NOT NULL DEFAULT 5 CHECK (attempts > 0),
    -- How many of them fail, in the trial.
    fails int NOT NULL DEFAULT 0
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

-- A row for each tick whose attempts have all failed. Somebody has to look at it.
CREATE TABLE dead_letter (
    schedule text REFERENCES schedule,
    number bigint,
    due timestamptz NOT NULL,
    attempts int NOT NULL,
    error text NOT NULL,
    failed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    process int NOT NULL,
    PRIMARY KEY (schedule, number)
);

-- The effect of a tick: not idempotent, so that a tick that fires twice shows.
CREATE TABLE account (
    schedule text PRIMARY KEY REFERENCES schedule,
    balance bigint NOT NULL DEFAULT 0
);

-- A schedule that is new or has changed wakes the processes. They make most changes themselves, and
-- need not be told of those.
CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('schedules.server', true), '') = '' THEN
        NOTIFY schedule;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER INSERT OR UPDATE ON schedule
    FOR EACH STATEMENT EXECUTE FUNCTION announce();
