import { z } from 'zod';
import { keySegment } from '../redis/key';
import { commandIdSchema, epochMsSchema, epochSchema, idSchema } from './ids';

const jobFields = {
  commandId: commandIdSchema,
  jobId: idSchema,
  organizationId: idSchema,
  matchId: idSchema,
};

const parametersSchema = z.record(z.string(), z.json());

const stageFields = {
  ...jobFields,
  taskId: z.uuid(),
  stage: z.string().min(1).max(64),
  attempt: z.int().positive(),
  /** Of the partition's owner that made the task; a result with an older one changes nothing. */
  epoch: epochSchema,
};

/** To a worker: one stage of a job. Its task id is the worker's inbox key. */
export const stageTaskSchema = z.strictObject({
  ...stageFields,
  deadlineMs: epochMsSchema,
  parameters: parametersSchema,
});

/** From a worker: what became of a stage. */
export const stageResultSchema = z.strictObject({
  ...stageFields,
  outcome: z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('succeeded'), output: parametersSchema }),
    z.strictObject({
      status: z.literal('failed'),
      message: z.string().max(2_000),
      retryable: z.boolean(),
    }),
  ]),
});

/** On the job topic, keyed by `jobPartitionKey`. */
export const jobCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...jobFields,
    type: z.literal('submit'),
    stages: z.array(z.string().min(1).max(64)).min(1).max(32),
    parameters: parametersSchema,
    submittedAtMs: epochMsSchema,
  }),
  z.strictObject({ ...jobFields, type: z.literal('cancel'), reason: z.string().max(200) }),
  stageResultSchema.extend({ type: z.literal('stage_result') }),
]);

export type StageTask = z.output<typeof stageTaskSchema>;
export type StageResult = z.output<typeof stageResultSchema>;
export type JobCommand = z.output<typeof jobCommandSchema>;

/** `{organization}:{match}`: one owner and one order for everything about a match. */
export function jobPartitionKey(job: {
  readonly organizationId: string;
  readonly matchId: string;
}): string {
  return `${keySegment(job.organizationId)}:${keySegment(job.matchId)}`;
}
