/** Where the pipeline reads the repository from, and what it deploys in which order. */
export interface PipelineChoices {
  /** `owner/name`. */
  readonly repository: string;
  readonly branch: string;
  /** Of a connection (Developer Tools, Connections) that a person has confirmed once. */
  readonly connectionArn: string;
  /** Of the pipeline itself; environments that name none are deployed here too. */
  readonly account: string;
  readonly region: string;
  /** In this order; the last waits for a person. */
  readonly environments: readonly string[];
}

export const PIPELINE: PipelineChoices = {
  repository: 'your-organisation/matsuri',
  branch: 'main',
  connectionArn:
    'arn:aws:codeconnections:ap-northeast-1:111122223333:connection/00000000-0000-0000-0000-000000000000',
  account: '111122223333',
  region: 'ap-northeast-1',
  environments: ['dev', 'staging', 'prod'],
};
