import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

import { startSnsStandIn } from './start-sns';
import type { SnsStandIn } from './start-sns';

let sns: SnsStandIn;
let client: SNSClient;

beforeAll(async () => {
  sns = await startSnsStandIn({ topics: ['on-call', 'tickets'] });
  client = new SNSClient({
    endpoint: sns.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterAll(async () => {
  client.destroy();
  await sns.close();
});

test('what is published can be read, by topic', async () => {
  const TopicArn = sns.topicArn('on-call');
  const Message = '<b>36,000 tokens/s</b> & rising\n日本語';
  const { MessageId } = await client.send(
    new PublishCommand({ TopicArn, Subject: 'Wake up', Message }),
  );

  expect(MessageId).toMatch(/^[0-9a-f-]{36}$/);
  expect(sns.messages('on-call')).toMatchObject([{ subject: 'Wake up', message: Message }]);
  expect(sns.messages('tickets')).toEqual([]);
});

test('an unknown topic and a subject of two lines are refused as SNS refuses them', async () => {
  const unknown = new PublishCommand({ TopicArn: sns.topicArn('nobody'), Message: 'x' });
  await expect(client.send(unknown)).rejects.toMatchObject({ name: 'NotFoundException' });

  const TopicArn = sns.topicArn('on-call');
  const twoLines = new PublishCommand({ TopicArn, Subject: 'one\ntwo', Message: 'x' });
  await expect(client.send(twoLines)).rejects.toMatchObject({
    name: 'InvalidParameterException',
  });
});
