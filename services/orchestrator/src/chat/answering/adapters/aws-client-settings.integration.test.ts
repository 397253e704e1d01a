import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { defaultConfiguration } from '@matsuri/contract';
import { listenOnLoopback } from '@matsuri/local';
import { awsClientSettings } from './aws-client-settings';

const { sagemaker: pool } = defaultConfiguration.pools.perTask;
const credentials = () => Promise.resolve({ accessKeyId: 'local', secretAccessKey: 'local' });
const ask = (client: DynamoDBClient) => client.send(new ListTablesCommand({}));

function open(endpoint: string, changes: Partial<typeof pool>): DynamoDBClient {
  const settings = awsClientSettings('ap-northeast-1', credentials, { ...pool, ...changes });
  return new DynamoDBClient({ ...settings, endpoint });
}

test('a connection is kept for the next call, and closed when it was idle for its time', async () => {
  const connections = new Set<unknown>();
  const closed = Promise.withResolvers<undefined>();
  const server = await listenOnLoopback((request, response) => {
    connections.add(request.socket);
    request.socket.once('close', () => closed.resolve(undefined));
    // Somebody who waits for longer than that is not idle.
    setTimeout(() => response.end('{}'), 300);
  });
  const client = open(server.url, { idleTimeoutMs: 200 });
  await ask(client);
  await ask(client);
  expect(connections.size).toBe(1);
  await closed.promise;
  client.destroy();
  await server.close();
});

test('a call that is not answered in its total time has failed', async () => {
  const server = await listenOnLoopback(() => undefined);
  const client = open(server.url, { totalTimeoutMs: 200 });
  await expect(ask(client)).rejects.toMatchObject({ name: 'TimeoutError' });
  client.destroy();
  await server.close();
});
