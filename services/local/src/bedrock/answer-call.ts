import { AwsError } from '../wire/aws-error';
import type { Response } from '../wire/listen';
import { planWithoutModel } from './call-plan';
import type { CallPlan } from './call-plan';
import { planConverse, streamReply, wholeReply } from './converse';
import { chargeOf } from './core/quota';
import type { Script } from './core/scripts';
import { planCountTokens } from './count-tokens';
import { deliver } from './delivery';
import type { DeliveryObserver } from './delivery';
import { planInvokeModel } from './invoke-model';
import { invocationEvent } from './invocation-event';
import type { LedgerEntry } from './ledger';
import { badGatewayReply, errorReply } from './replies';
import type { Call, World } from './world';

type Planner = (world: World, call: Call, script: Script) => CallPlan;

const PLANNERS: Readonly<Record<string, Planner>> = {
  Converse: (world, call, script) => planConverse(world, call, script, wholeReply),
  ConverseStream: (world, call, script) => planConverse(world, call, script, streamReply),
  InvokeModel: planInvokeModel,
  CountTokens: planCountTokens,
};

const SCRIPT_HEADER = 'x-standin-script';

/** Answers one call and keeps its entry in the ledger true until it is over. */
export function answerCall(world: World, call: Call, response: Response): void {
  const entry = world.ledger.open({
    attemptId: call.attemptId,
    requestId: call.requestId,
    operation: call.operation,
    model: call.modelId,
    region: call.region,
  });
  const plan = planFor(world, call, entry);
  Object.assign(entry, plan.input);
  entry.status = plan.reply.status;
  deliver(response, plan.reply, world.clock, keepEntry(world, entry, plan));
}

function planFor(world: World, call: Call, entry: LedgerEntry): CallPlan {
  try {
    const script = chooseScript(world, call);
    entry.script = script.name;
    if (script.name === 'bad-gateway-html') return planWithoutModel(badGatewayReply());
    const plan = PLANNERS[call.operation];
    if (!plan) throw notImplemented(call.operation);
    return plan(world, call, script);
  } catch (cause) {
    const error = asAwsError(cause);
    entry.error = error.code;
    return planWithoutModel(errorReply(error, call.requestId));
  }
}

function chooseScript(world: World, call: Call): Script {
  const header = call.headers[SCRIPT_HEADER];
  return world.scripts.choose(
    {
      model: call.modelId,
      region: call.region,
      operation: call.operation,
      attemptId: call.attemptId,
      body: () => call.body.toString('utf8'),
    },
    typeof header === 'string' ? header : undefined,
  );
}

function keepEntry(world: World, entry: LedgerEntry, plan: CallPlan): DeliveryObserver {
  const { clock, ledger } = world;
  return {
    emitted(tokens, statesUsage) {
      if (tokens > 0) {
        entry.firstTokenAtMs ??= clock.nowMs();
        entry.tokensEmitted += tokens;
      }
      if (statesUsage && plan.usage) entry.usageSent = plan.usage;
    },
    written(tokens, bytes) {
      entry.tokensWritten += tokens;
      entry.bytesWritten += bytes;
    },
    left() {
      entry.peerClosedAtMs = clock.nowMs();
      ledger.release(entry);
    },
    done(outcome) {
      entry.outcome = outcome;
      entry.endedAtMs = clock.nowMs();
      entry.text = plan.textOfFirst(entry.tokensEmitted);
      ledger.release(entry);
      const charged = chargeOf(plan.input, entry.tokensEmitted, plan.burndown);
      plan.reservation?.settle(charged);
      world.onInvocation(invocationEvent(entry, charged));
    },
  };
}

function notImplemented(operation: string): AwsError {
  return new AwsError(
    'NotImplementedException',
    `The Bedrock stand-in does not implement ${operation}.`,
    501,
  );
}

function asAwsError(cause: unknown): AwsError {
  if (cause instanceof AwsError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AwsError('InternalServerException', `The Bedrock stand-in failed: ${reason}`, 500);
}
