import { startCluster, type Cluster, type ClusterOptions } from '../../chaos/harness/cluster';

const START_TIMEOUT_MS = 90_000;

/** A cluster for the tests of one file, started before the first and closed after the last. */
export function clusterForSuite(options: ClusterOptions): () => Cluster {
  let cluster: Cluster | undefined;
  beforeAll(async () => {
    cluster = await startCluster(options);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await cluster?.close();
  }, START_TIMEOUT_MS);
  return () => {
    if (!cluster) throw new Error('the cluster is not up');
    return cluster;
  };
}
