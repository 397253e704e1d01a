export { parseTrace } from './core/traces/parse-trace';
export { TraceFormatError, type Trace } from './core/traces/trace';
export { POLICIES, type PolicyName } from './core/policies/policies';
export { sceneOf, type Scene, type SceneOptions } from './core/platform/scene';
export { simulate, type Outcome, type Policy } from './core/platform/simulate';
export { scoreOf, type Score } from './core/scoring/score';
