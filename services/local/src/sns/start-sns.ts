import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import { serveAws } from '../wire/aws-endpoint';
import type { AwsEndpoint } from '../wire/aws-endpoint';
import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import { awsQueryProtocol } from '../wire/aws-query-protocol';

export interface SnsOptions {
  /** Names of the topics there are. */
  readonly topics: readonly string[];
  /** @default real time */
  readonly clock?: Clock;
  /** @default a free port */
  readonly port?: number;
  /** @default 'ap-northeast-1' */
  readonly region?: string;
}

/** What somebody was told. */
export interface SnsMessage {
  readonly topic: string;
  readonly subject: string | undefined;
  readonly message: string;
  readonly atMs: number;
}

/** SNS topics on loopback; nobody subscribes, everything published can be read. */
export interface SnsStandIn extends AwsEndpoint {
  topicArn(name: string): string;
  /** The latest, oldest first. */
  messages(topic?: string): readonly SnsMessage[];
}

const MESSAGES_KEPT = 1_000;
const LONGEST_MESSAGE_BYTES = 262_144;
// One line of printable ASCII, as an email's subject must be.
const SUBJECT = /^[\x21-\x7e][\x20-\x7e]{0,99}$/;

const publishInput = z.object({
  TopicArn: z.string(),
  Message: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= LONGEST_MESSAGE_BYTES, 'Message too long'),
  Subject: z.string().regex(SUBJECT, 'Subject').optional(),
});

export async function startSnsStandIn(options: SnsOptions): Promise<SnsStandIn> {
  const clock = options.clock ?? scaledClock();
  const prefix = `arn:aws:sns:${options.region ?? 'ap-northeast-1'}:000000000000`;
  const topicArn = (name: string): string => `${prefix}:${name}`;
  const topics = new Map(options.topics.map((name) => [topicArn(name), name]));
  const messages: SnsMessage[] = [];

  const publish = (input: z.output<typeof publishInput>) => {
    const topic = topics.get(input.TopicArn);
    if (topic === undefined) throw new AwsError('NotFound', 'Topic does not exist', 404);
    const { Subject: subject, Message: message } = input;
    messages.push({ topic, subject, message, atMs: clock.nowMs() });
    if (messages.length > MESSAGES_KEPT) messages.shift();
    return { MessageId: randomUUID() };
  };

  const endpoint = await serveAws({
    protocol: awsQueryProtocol({ xmlNamespace: 'http://sns.amazonaws.com/doc/2010-03-31/' }),
    operations: { Publish: operation(publishInput, publish, 'InvalidParameterException') },
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  return {
    ...endpoint,
    topicArn,
    messages: (topic) => messages.filter((it) => (topic ?? it.topic) === it.topic),
  };
}
