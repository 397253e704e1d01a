/**
 * What the CloudWatch embedded metric format asks of a document, as a list of what is wrong with one.
 * Written from the specification, independently of both our writer and our reader.
 */
export function emfViolations(line: string): string[] {
  const root: unknown = JSON.parse(line);
  if (!isMembers(root)) return ['the root is not an object'];
  const metadata = root['_aws'];
  if (!isMembers(metadata)) return ['_aws is not an object'];
  const directives = metadata['CloudWatchMetrics'];
  return [
    ...(line.length <= 1_048_576 ? [] : ['larger than a log event may be']),
    ...(line.includes('\n') ? ['more than one line'] : []),
    ...(isWhole(metadata['Timestamp']) ? [] : ['Timestamp is not whole milliseconds']),
    ...(Array.isArray(directives)
      ? directives.flatMap((directive) => directiveViolations(directive, root))
      : ['CloudWatchMetrics is not a list']),
  ];
}

function directiveViolations(directive: unknown, root: Members): string[] {
  if (!isMembers(directive)) return ['a directive is not an object'];
  const { Namespace: namespace, Dimensions: sets, Metrics: metrics, ...unknown } = directive;
  return [
    ...Object.keys(unknown).map((name) => `unknown member ${name}`),
    ...(isText(namespace, 1024) ? [] : ['Namespace is not 1 to 1024 characters']),
    ...(Array.isArray(sets) && sets.length > 0 ? [] : ['Dimensions has no set']),
    ...(Array.isArray(sets) ? sets.flatMap((set) => dimensionViolations(set, root)) : []),
    ...(Array.isArray(metrics) && metrics.length <= 100
      ? []
      : ['not a list of at most 100 metrics']),
    ...(Array.isArray(metrics) ? metrics.flatMap((metric) => metricViolations(metric, root)) : []),
  ];
}

function dimensionViolations(set: unknown, root: Members): string[] {
  if (!Array.isArray(set) || set.length > 30)
    return ['a dimension set is not a list of at most 30'];
  return set.flatMap((name) => {
    if (!isText(name, 250)) return ['a dimension name is not 1 to 250 characters'];
    const value = root[name];
    return isText(value, 1024) && /^[ -~]+$/.test(value) ? [] : [`dimension ${name} has no value`];
  });
}

const UNITS =
  /^(?:Seconds|Microseconds|Milliseconds|None|Percent|Count(?:\/Second)?|(?:(?:Kilo|Mega|Giga|Tera)?(?:bytes|bits)|Bytes|Bits)(?:\/Second)?)$/;

function metricViolations(metric: unknown, root: Members): string[] {
  if (!isMembers(metric)) return ['a metric is not an object'];
  const { Name: name, Unit: unit, StorageResolution: resolution, ...unknown } = metric;
  if (!isText(name, 1024)) return ['a metric name is not 1 to 1024 characters'];
  return [
    ...Object.keys(unknown).map((member) => `unknown member ${member} of ${name}`),
    ...(typeof unit === 'string' && UNITS.test(unit) ? [] : [`${name} has no CloudWatch unit`]),
    ...(resolution === 1 || resolution === 60 ? [] : [`${name} has no resolution of 1 or 60`]),
    ...(isTarget(root[name]) ? [] : [`${name} has no value`]),
  ];
}

function isTarget(target: unknown): boolean {
  if (isMembers(target)) {
    const { Values: values, Counts: counts } = target;
    const statistics = ['Min', 'Max', 'Count', 'Sum'].every((name) => isValue(target[name]));
    return statistics && isValues(values) && isValues(counts) && values.length === counts.length;
  }
  return isValue(target) || isValues(target);
}

const isValue = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= 2 ** 360;

const isValues = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isValue);

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longest;
