import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../harness/seeded-random';
import { plentifulQuotas } from '../harness/test-platform';
import { ChatClient, type HeardAnswer } from './chat-client';
import { startChatCluster, type ChatCluster, type ChatTask } from './chat-cluster';

export interface RollingRestartOptions {
  readonly sessions: number;
  readonly restarts: number;
  /** A session asks about this often. */
  readonly everyMs: number;
  readonly seed: number;
  /** Cuts what a draining task still holds after this long; shorter than the drain, it cuts streams. */
  readonly deregistrationDelayMs: number;
  readonly onProgress: (done: number, total: number, label: string) => void;
}

/** What a run came to. */
export interface RollingRestartResult {
  readonly messages: number;
  readonly restarts: number;
  /** Restarts that cost somebody the connection in the middle of an answer. */
  readonly midway: number;
  readonly connections: number;
  readonly interruptedAnswers: number;
  readonly slowestExitMs: number;
  /** In words; empty when every promise held. */
  readonly violations: readonly string[];
}

const TENANT = 'shop';
const TASKS = 2;
const EXIT_LIMIT_MS = 110_000;

/** Restarts one task after the other under load, and holds what the clients heard against what the model said. */
export async function rollingRestart(
  options: RollingRestartOptions,
): Promise<RollingRestartResult> {
  const cluster = await startChatCluster({
    tenants: [TENANT],
    deregistrationDelayMs: options.deregistrationDelayMs,
    platform: {
      environment: 'test',
      quotas: plentifulQuotas(),
      gateway: { burstRequests: 5_000 },
      sessions: { reconnectJitterMs: 2_000 },
      orchestrator: { targetHealthPollSeconds: 1 },
    },
    bedrock: {
      pacing: { firstTokenMs: 200, tokensPerSecond: 40 },
      answerTokens: 60,
      ledgerLimit: 1e6,
    },
  });
  const clients: ChatClient[] = [];
  try {
    for (let at = 0; at < TASKS; at += 1) await cluster.startTask();
    const token = cluster.apiTokens.get(TENANT) ?? '';
    for (let at = 0; at < options.sessions; at += 1) {
      clients.push(new ChatClient(cluster.url, token, `user-${at}`));
    }
    await inGroups(clients, 20, (client) => client.start());
    const load = startLoad(clients, options);
    const rounds = await restartAll(cluster, clients, options);
    await load.stop();
    return judge(cluster, clients, rounds);
  } finally {
    for (const client of clients) client.close();
    await cluster.close();
  }
}

async function inGroups<T>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) {
    await Promise.all(items.slice(at, at + size).map(work));
  }
}

function startLoad(clients: readonly ChatClient[], { everyMs, seed }: RollingRestartOptions) {
  const random = seededRandom(seed);
  const end = new AbortController();
  const talk = async (client: ChatClient, at: number): Promise<void> => {
    for (let turn = 0; !end.signal.aborted; turn += 1) {
      const waitMs = (turn === 0 ? random.next() : 0.5 + random.next()) * everyMs;
      await pause(waitMs, undefined, { signal: end.signal }).catch(() => undefined);
      if (isOver(end.signal)) return;
      await client.ask(`m-${turn}`, `Question ${turn} of reader ${at}: ${random.next()}?`);
    }
  };
  const talks = clients.map(talk);
  return {
    async stop(): Promise<void> {
      end.abort();
      await Promise.all(talks);
    },
  };
}

function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

interface Rounds {
  readonly restarts: number;
  midway: number;
  slowestExitMs: number;
  readonly problems: string[];
}

async function restartAll(
  cluster: ChatCluster,
  clients: readonly ChatClient[],
  { restarts, onProgress }: RollingRestartOptions,
): Promise<Rounds> {
  const rounds: Rounds = { restarts, midway: 0, slowestExitMs: 0, problems: [] };
  for (let round = 0; round < restarts; round += 1) {
    onProgress(round, restarts, 'restarting tasks under load');
    const [oldest] = cluster.tasks;
    if (!oldest) throw new Error('there is no task to restart');
    await cluster.startTask();
    const before = interruptionsOf(clients);
    const beganAtMs = performance.now();
    const exit = await endTask(cluster, oldest, round % 2 === 0);
    const tookMs = performance.now() - beganAtMs;
    rounds.slowestExitMs = Math.max(rounds.slowestExitMs, tookMs);
    if (exit !== 0) rounds.problems.push(`${oldest.name} exited with ${String(exit)}`);
    if (tookMs > EXIT_LIMIT_MS) rounds.problems.push(`${oldest.name} took ${tookMs} ms to exit`);
    if (interruptionsOf(clients) > before) rounds.midway += 1;
    cluster.forget(oldest);
  }
  onProgress(restarts, restarts, 'all tasks restarted');
  return rounds;
}

function interruptionsOf(clients: readonly ChatClient[]): number {
  const answers = clients.flatMap(({ heard }) => heard);
  return answers.reduce((sum, { interruptions }) => sum + interruptions, 0);
}

/** In turn: seen in the balancer, as ECS does it; or by a signal alone. */
async function endTask(
  cluster: ChatCluster,
  task: ChatTask,
  byBalancer: boolean,
): Promise<number | null> {
  const { process } = task;
  cluster.deregister(task);
  if (byBalancer) await process.ended();
  else await process.end('SIGTERM');
  return process.exitCode;
}

function judge(
  cluster: ChatCluster,
  clients: readonly ChatClient[],
  rounds: Rounds,
): RollingRestartResult {
  const answers = clients.flatMap(({ heard }) => heard);
  const said = new Map<string, number>();
  for (const { outcome, text } of cluster.bedrock.ledger()) {
    if (outcome === 'finished') said.set(text, (said.get(text) ?? 0) + 1);
  }
  const violations = [...rounds.problems, ...answers.flatMap((answer) => faultsOf(answer, said))];
  return {
    messages: answers.length,
    restarts: rounds.restarts,
    midway: rounds.midway,
    connections: clients.reduce((sum, client) => sum + client.connections, 0),
    interruptedAnswers: answers.filter(({ interruptions }) => interruptions > 0).length,
    slowestExitMs: rounds.slowestExitMs,
    violations,
  };
}

function faultsOf(answer: HeardAnswer, said: Map<string, number>): string[] {
  const { clientMessageId, text, terminals, gaps, restarts } = answer;
  const faults: string[] = [];
  if (terminals.length !== 1) faults.push(`${clientMessageId} ended ${terminals.length} times`);
  const [end] = terminals;
  if (end?.type !== 'done') faults.push(`${clientMessageId} ended with ${JSON.stringify(end)}`);
  if (gaps > 0) faults.push(`${clientMessageId} has ${gaps} gaps`);
  if (restarts > 0) faults.push(`${clientMessageId} was begun anew ${restarts} times`);
  const left = said.get(text) ?? 0;
  if (left === 0) faults.push(`${clientMessageId}: no model said ${JSON.stringify(text)}`);
  else said.set(text, left - 1);
  return faults;
}
