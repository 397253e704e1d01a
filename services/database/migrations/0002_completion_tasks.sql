CREATE TYPE "public"."completion_task_status" AS ENUM('pending', 'completed', 'failed', 'lost');--> statement-breakpoint
CREATE TABLE "completion_tasks" (
	"task_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"token_id" uuid,
	"request_id" text NOT NULL,
	"requested_model" text NOT NULL,
	"status" "completion_task_status" NOT NULL,
	"result" text,
	"error" text,
	"served_by" text,
	"owner_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "completion_tasks_ended_once" CHECK (("completion_tasks"."status" = 'completed') = ("completion_tasks"."result" IS NOT NULL) AND ("completion_tasks"."status" = 'failed') = ("completion_tasks"."error" IS NOT NULL) AND ("completion_tasks"."status" = 'pending') = ("completion_tasks"."finished_at" IS NULL))
);
--> statement-breakpoint
CREATE INDEX "completion_tasks_pending_idx" ON "completion_tasks" USING btree ("created_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "completion_tasks_expires_idx" ON "completion_tasks" USING btree ("expires_at");