-- Every reservation and settlement updates a counter in place. Room on the page keeps those updates from
-- touching the index, and frequent vacuuming keeps dead versions of a hot row few.
ALTER TABLE "spend_counters" SET (
	fillfactor = 50,
	autovacuum_vacuum_threshold = 200,
	autovacuum_vacuum_scale_factor = 0.05
);--> statement-breakpoint
-- New ledger pages enter the block-range index when they fill, not at the next vacuum.
ALTER INDEX "usage_attempts_created_brin" SET (autosummarize = on);
