import {
  CHAT_ALIASES,
  endOfLifeOf,
  modelOfProfile,
  type Model,
  type ModelCatalogue,
} from '@matsuri/contract';

/** Who owns an alias: it is this platform's word, not a vendor's. */
const PLATFORM = 'matsuri';

/** Every name a chat can ask for: aliases first, each standing for its preferred model, then profile ids. */
export function chatModels(catalogue: ModelCatalogue): ReadonlyMap<string, Model> {
  const models = new Map<string, Model>();
  for (const alias of CHAT_ALIASES) {
    const preferred = catalogue.aliases[alias][0];
    if (preferred !== undefined) addChatModel(models, alias, catalogue, preferred.profile);
  }
  for (const profile of Object.keys(catalogue.profiles)) {
    addChatModel(models, profile, catalogue, profile);
  }
  return models;
}

function addChatModel(
  models: Map<string, Model>,
  name: string,
  catalogue: ModelCatalogue,
  profile: string,
): void {
  const model = modelOfProfile(catalogue, profile);
  if (model?.kind === 'chat') models.set(name, model);
}

/** One model as `GET /v1/models/{name}` shows it. */
export interface ModelEntry {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  /** When calls to it end, if that is known. */
  readonly shutdown_date: string | null;
}

export interface ModelList {
  readonly object: 'list';
  readonly data: ModelEntry[];
}

interface ListOptions {
  /** Unix time in seconds shown as every model's birth: the catalogue keeps none. */
  readonly created: number;
  /** Names the caller may use; everything when absent. */
  readonly isAllowed?: (name: string) => boolean;
}

/** The body of `GET /v1/models`. */
export function modelList(
  models: ReadonlyMap<string, Model>,
  { created, isAllowed = () => true }: ListOptions,
): ModelList {
  const names = [...models].filter(([name]) => isAllowed(name));
  return { object: 'list', data: names.map(([name, model]) => modelEntry(name, model, created)) };
}

export function modelEntry(name: string, model: Model, created: number): ModelEntry {
  const isAlias = CHAT_ALIASES.some((alias) => alias === name);
  return {
    id: name,
    object: 'model',
    created,
    owned_by: isAlias ? PLATFORM : (model.bedrockId.split('.')[0] ?? PLATFORM),
    // An alias outlives its models: configuration points it elsewhere.
    shutdown_date: isAlias ? null : (endOfLifeOf(model) ?? null),
  };
}
