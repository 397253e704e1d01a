CREATE TABLE "token_creations" (
	"tenant_id" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"request_digest" "bytea" NOT NULL,
	"token_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "token_creations_tenant_id_idempotency_key_pk" PRIMARY KEY("tenant_id","idempotency_key")
);
