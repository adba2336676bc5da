// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL

/// The tables, in versions: each database applies those that it does not have yet.
enum PostgresSchema {
    /// The version that this program needs, and that of the newest migration.
    static var version: Int { migrations.count }

    static func check(version: Int, oldestProgram: Int) throws {
        if version < Self.version {
            throw ScheduleError(
                """
                the database's schema has version \(version), and this program needs \
                \(Self.version): call migrate(), or run swivel-schedules migrate
                """)
        }
        if oldestProgram > Self.version {
            throw ScheduleError(
                """
                the database's schema has version \(version), which programs need that know \
                version \(oldestProgram); this one knows \(Self.version): update it
                """)
        }
    }

    /// The statements of each version. One that exists is never changed.
    static let migrations: [String] = [
        """
        CREATE TABLE swivel_schedule (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            job text NOT NULL,
            -- The recurrence, and what happens to missed and to failed ticks.
            definition jsonb NOT NULL,
            arguments jsonb NOT NULL,
            priority int NOT NULL DEFAULT 0,
            enabled boolean NOT NULL DEFAULT true,
            -- The instant of the next tick, and that tick's number; 'infinity' after the last one.
            next_at timestamptz NOT NULL CHECK (next_at > '-infinity'),
            number bigint NOT NULL DEFAULT 0,
            -- The one after it, if the recurrence has changed since it was due.
            then_at timestamptz,
            -- Attempts at that tick that have failed, when the next one is due, and the last error.
            failures int NOT NULL DEFAULT 0,
            retry_at timestamptz NOT NULL DEFAULT '-infinity',
            error text,
            -- The process that works on the tick outside of a transaction.
            lease_by text,
            lease_until timestamptz NOT NULL DEFAULT '-infinity',
            -- The schedule whose discarded tick this row tries again.
            retry_of bigint REFERENCES swivel_schedule ON DELETE CASCADE,
            due_at timestamptz NOT NULL GENERATED ALWAYS AS (
                CASE WHEN enabled THEN greatest(next_at, retry_at, lease_until) ELSE 'infinity' END
            ) STORED
        );
        -- For the next instant and for claims of a few due ticks, and for claims among very many.
        CREATE INDEX swivel_schedule_due ON swivel_schedule (due_at);
        CREATE INDEX swivel_schedule_order ON swivel_schedule (priority DESC, due_at);

        -- A row for each tick that has ended. The key makes a second one impossible.
        CREATE TABLE swivel_tick (
            schedule bigint NOT NULL REFERENCES swivel_schedule ON DELETE CASCADE,
            number bigint NOT NULL,
            due timestamptz NOT NULL,
            fired_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            state text NOT NULL CHECK (state IN ('done', 'discarded', 'cancelled')),
            attempts int NOT NULL,
            error text,
            PRIMARY KEY (schedule, number)
        );
        CREATE INDEX swivel_tick_discarded ON swivel_tick (fired_at) WHERE state = 'discarded';
        -- Ticks come in this order, so that a few pages find the old ones.
        CREATE INDEX swivel_tick_age ON swivel_tick USING brin (fired_at);

        -- Ticks that somebody wants to be cancelled while they run.
        CREATE TABLE swivel_cancel (
            schedule bigint PRIMARY KEY REFERENCES swivel_schedule ON DELETE CASCADE,
            number bigint NOT NULL
        );

        CREATE FUNCTION swivel_schedules_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NOTIFY swivel_schedules;
            RETURN NULL;
        END $$;
        CREATE TRIGGER swivel_schedule_new AFTER INSERT ON swivel_schedule
            FOR EACH STATEMENT EXECUTE FUNCTION swivel_schedules_changed();
        -- What processes change themselves has another number, another failure, or another lease.
        -- A tick that is given back is news for the others.
        CREATE TRIGGER swivel_schedule_changed AFTER UPDATE ON swivel_schedule
            FOR EACH ROW WHEN (OLD.number = NEW.number AND OLD.failures = NEW.failures
                AND (OLD.lease_until = NEW.lease_until
                    OR OLD.lease_by IS NOT NULL AND NEW.lease_by IS NULL))
            EXECUTE FUNCTION swivel_schedules_changed();
        CREATE TRIGGER swivel_cancel_new AFTER INSERT OR UPDATE ON swivel_cancel
            FOR EACH STATEMENT EXECUTE FUNCTION swivel_schedules_changed();
        """
    ]

    /// Writes what became of claimed ticks, in one statement. The changes are an array of JSON. The
    /// result is the number of those whose claim is still valid, and the schedules that somebody
    /// else has locked: those stay as they are.
    static let apply = """
        WITH change AS MATERIALIZED (
            SELECT DISTINCT ON (c.id) c.*, \(instant("claimed")) AS claimed_at,
                \(instant("due")) AS tick_at, coalesce(\(instant("next")), 'infinity') AS later_at,
                c.kind IN ('done', 'discarded', 'cancelled') AS is_end
            FROM jsonb_to_recordset($1::jsonb) AS c(
                id bigint, number bigint, failures int, holder text, kind text, error text,
                claimed bigint, due bigint, next bigint, wait bigint)
        ), free AS MATERIALIZED (
            SELECT s.id FROM swivel_schedule s WHERE s.id IN (SELECT id FROM change)
            FOR NO KEY UPDATE SKIP LOCKED
        ), ended AS (
            UPDATE swivel_schedule s SET number = s.number + 1, failures = 0,
                retry_at = '-infinity', error = c.error, lease_by = NULL, lease_until = '-infinity',
                next_at = \(following), then_at = NULL
            FROM change c JOIN free USING (id) WHERE \(fits) AND is_end AND s.retry_of IS NULL
            RETURNING s.id, s.id AS schedule
        ), retried AS (
            DELETE FROM swivel_schedule s USING change c JOIN free USING (id)
            WHERE \(fits) AND is_end AND s.retry_of IS NOT NULL
            RETURNING s.id, s.retry_of AS schedule
        ), kept AS (
            UPDATE swivel_schedule s SET failures = s.failures + (c.kind = 'failed')::int,
                error = coalesce(c.error, s.error), lease_by = NULL, lease_until = '-infinity',
                retry_at = CASE c.kind
                    WHEN 'failed' THEN clock_timestamp() + c.wait * interval '1 ms'
                    WHEN 'returned' THEN clock_timestamp()
                    ELSE '-infinity' END,
                next_at = CASE c.kind WHEN 'skipped' THEN \(following) ELSE tick_at END,
                then_at = CASE c.kind WHEN 'skipped' THEN NULL ELSE s.then_at END
            FROM change c JOIN free USING (id) WHERE \(fits) AND NOT is_end
            RETURNING s.id
        ), heeded AS (
            DELETE FROM swivel_cancel x USING change c
            WHERE x.schedule = c.id AND x.number <= c.number AND is_end
        ), noted AS (
            INSERT INTO swivel_tick (schedule, number, due, state, attempts, error)
            SELECT e.schedule, c.number, tick_at, c.kind, c.failures + 1, c.error
            FROM change c JOIN (SELECT * FROM ended UNION ALL SELECT * FROM retried) e USING (id)
            RETURNING number
        ), present AS (
            SELECT c.id, free.id IS NULL AS is_locked FROM change c
            JOIN swivel_schedule s USING (id) LEFT JOIN free USING (id)
        )
        SELECT (SELECT count(*) FROM noted) + (SELECT count(*) FROM kept)
                -- A job may have removed its own schedule.
                + (SELECT count(*) FROM change) - (SELECT count(*) FROM present),
            (SELECT string_agg(id::text, ',') FROM present WHERE is_locked)
        """

    /// Somebody may have moved the next tick while this one ran.
    private static let following = """
        coalesce(s.then_at, CASE WHEN s.next_at = claimed_at THEN later_at ELSE s.next_at END)
        """

    /// A lease that has ended by time may still have its holder's name.
    private static let fits = """
        s.id = c.id AND s.number = c.number AND s.failures = c.failures
        AND (s.lease_by IS NOT DISTINCT FROM c.holder
            OR c.holder IS NULL AND s.lease_until <= statement_timestamp())
        """

    private static func instant(_ column: String) -> String {
        "timestamptz 'epoch' + c.\(column) * interval '1 microsecond'"
    }
}
#endif
