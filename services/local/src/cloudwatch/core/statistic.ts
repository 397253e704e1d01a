import type { SampleBucket } from './sample-bucket';

const PLAIN = ['Sum', 'Average', 'Maximum', 'Minimum', 'SampleCount'];
const PERCENTILE = /^p(\d{1,2}(?:\.\d{1,10})?|100)$/;

/** Whether a name is a statistic the stand-in computes. */
export function isStatistic(name: string): boolean {
  return PLAIN.includes(name) || PERCENTILE.test(name);
}

/** The statistic of a bucket; undefined where CloudWatch would give no datapoint. */
export function statisticOf(bucket: SampleBucket, statistic: string): number | undefined {
  if (bucket.sampleCount === 0) return undefined;
  switch (statistic) {
    case 'Sum':
      return bucket.sum;
    case 'Average':
      return bucket.sum / bucket.sampleCount;
    case 'Maximum':
      return bucket.maximum;
    case 'Minimum':
      return bucket.minimum;
    case 'SampleCount':
      return bucket.sampleCount;
    default:
      return percentileOf(bucket, Number(PERCENTILE.exec(statistic)?.[1]));
  }
}

function percentileOf(bucket: SampleBucket, percent: number): number | undefined {
  if (bucket.counts === undefined || Number.isNaN(percent)) return undefined;
  const rank = Math.max(Math.ceil((percent / 100) * bucket.sampleCount), 1);
  let seen = 0;
  for (const [value, count] of [...bucket.counts].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= rank) return value;
  }
  return bucket.maximum;
}
