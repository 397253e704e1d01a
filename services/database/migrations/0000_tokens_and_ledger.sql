CREATE TYPE "public"."attempt_status" AS ENUM('reserved', 'settled', 'estimated', 'orphaned', 'coalesced');--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"pepper_version" integer NOT NULL,
	"last_four" text NOT NULL,
	"allowed_models" text[],
	"rpm" integer,
	"tpm" integer,
	"day_cap_micro_usd" bigint,
	"month_cap_micro_usd" bigint,
	"spend_account_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"predecessor_id" uuid,
	"overlap_until" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_digest_key" UNIQUE("digest"),
	CONSTRAINT "api_tokens_predecessor_key" UNIQUE("predecessor_id"),
	CONSTRAINT "api_tokens_digest_is_sha256" CHECK (octet_length("api_tokens"."digest") = 32),
	CONSTRAINT "api_tokens_day_cap_not_negative" CHECK ("api_tokens"."day_cap_micro_usd" >= 0),
	CONSTRAINT "api_tokens_month_cap_not_negative" CHECK ("api_tokens"."month_cap_micro_usd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_owners" (
	"instance_id" uuid PRIMARY KEY NOT NULL,
	"alive_until" timestamp (3) with time zone NOT NULL,
	"beating_since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spend_counters" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"day_spent_micro_usd" bigint DEFAULT 0 NOT NULL,
	"day_reserved_micro_usd" bigint DEFAULT 0 NOT NULL,
	"month" date NOT NULL,
	"month_spent_micro_usd" bigint DEFAULT 0 NOT NULL,
	"month_reserved_micro_usd" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_attempts" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"token_id" uuid,
	"requested_model" text NOT NULL,
	"served_model" text NOT NULL,
	"region" text NOT NULL,
	"target" text NOT NULL,
	"status" "attempt_status" NOT NULL,
	"outcome" text,
	"reserved_micro_usd" bigint NOT NULL,
	"cost_micro_usd" bigint DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cache_read_tokens" bigint DEFAULT 0 NOT NULL,
	"cache_write_tokens" bigint DEFAULT 0 NOT NULL,
	"client_disconnected" boolean DEFAULT false NOT NULL,
	"spend_day" date NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "usage_attempts_reserved_not_negative" CHECK ("usage_attempts"."reserved_micro_usd" >= 0),
	CONSTRAINT "usage_attempts_cost_not_negative" CHECK ("usage_attempts"."cost_micro_usd" >= 0)
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_predecessor_id_api_tokens_id_fk" FOREIGN KEY ("predecessor_id") REFERENCES "public"."api_tokens"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_tokens_tenant_created_idx" ON "api_tokens" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "usage_attempts_user_created_idx" ON "usage_attempts" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "usage_attempts_token_created_idx" ON "usage_attempts" USING btree ("token_id","created_at");--> statement-breakpoint
CREATE INDEX "usage_attempts_model_created_idx" ON "usage_attempts" USING btree ("served_model","created_at");--> statement-breakpoint
CREATE INDEX "usage_attempts_unsettled_idx" ON "usage_attempts" USING btree ("owner_id","created_at") WHERE status = 'reserved';--> statement-breakpoint
CREATE INDEX "usage_attempts_created_brin" ON "usage_attempts" USING brin ("created_at");