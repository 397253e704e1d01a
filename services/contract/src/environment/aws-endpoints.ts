import { z } from 'zod';

const endpoint = z.url().optional();

/**
 * Where a service of AWS answers when it is not AWS: the SDK reads these itself, so the code is the same
 * everywhere and only the endpoint differs. No stack sets them.
 */
export const awsEndpoints = {
  AWS_ENDPOINT_URL: endpoint,
  AWS_ENDPOINT_URL_APPLICATION_AUTO_SCALING: endpoint,
  AWS_ENDPOINT_URL_BEDROCK: endpoint,
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoint,
  AWS_ENDPOINT_URL_CLOUDWATCH: endpoint,
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ENDPOINT_URL_ECS: endpoint,
  AWS_ENDPOINT_URL_ELASTIC_LOAD_BALANCING_V2: endpoint,
  AWS_ENDPOINT_URL_LAMBDA: endpoint,
  AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: endpoint,
  AWS_ENDPOINT_URL_SCHEDULER: endpoint,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
  AWS_ENDPOINT_URL_SNS: endpoint,
  AWS_ENDPOINT_URL_SQS: endpoint,
};
