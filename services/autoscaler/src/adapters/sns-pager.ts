import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { Page } from '../core';
import type { Pager } from '../ports';
import { inTime } from './aws-call';

export interface PageTopics {
  /** Wakes somebody. */
  readonly page: string;
  /** Read in the morning; undefined: only logged. */
  readonly ticket: string | undefined;
}

const LONGEST_SUBJECT = 100;

/** Tells people through SNS, each by the topic that fits. */
export function snsPager(client: SNSClient, topics: PageTopics, environment: string): Pager {
  return {
    async send(page) {
      const topic = page.severity === 'page' ? topics.page : topics.ticket;
      if (topic === undefined) return;
      await client.send(
        new PublishCommand({
          TopicArn: topic,
          Subject: subjectOf(page, environment),
          Message: `${page.title}\n\n${page.text}\n\n${page.key} (${page.severity}, ${environment})`,
        }),
        inTime(),
      );
    },
  };
}

/** SNS takes one line of ASCII. */
function subjectOf({ severity, title }: Page, environment: string): string {
  return `[${environment}] ${severity}: ${title}`
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, LONGEST_SUBJECT);
}
