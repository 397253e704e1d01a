import { modelEntry, modelList } from '../core/openai/chat-models';
import { refusal } from '../core/openai/refusal/refusals';
import { callerOf } from './caller';
import type { Exchange } from './exchange';
import type { HttpOptions } from './http-options';

/** The catalogue keeps no birthdays; OpenAI's clients want a number. */
const CREATED = Date.UTC(2026, 0, 1) / 1_000;

/** `GET /v1/models` and `GET /v1/models/{id}`: what this caller may ask. */
export async function listModels(
  exchange: Exchange,
  id: string | undefined,
  options: HttpOptions,
): Promise<void> {
  const signedIn = await options.signIn(exchange.incoming);
  if (!signedIn.ok) {
    exchange.sendError(signedIn.error);
    return;
  }
  const names = new Set(options.gateway.modelsFor(callerOf(signedIn.token, options)));
  const { models } = options;
  if (id === undefined) {
    const list = modelList(models, { created: CREATED, isAllowed: (name) => names.has(name) });
    exchange.sendJson(200, JSON.stringify(list));
    return;
  }
  const model = names.has(id) ? models.get(id) : undefined;
  if (model) exchange.sendJson(200, JSON.stringify(modelEntry(id, model, CREATED)));
  else exchange.sendError(refusal('model-not-found', { subject: id }));
}
