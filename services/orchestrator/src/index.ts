export { createGateway, type GatewayOptions } from './gateway/create-gateway';
export type {
  Caller,
  CallUsage,
  Gateway,
  GatewayCall,
  Outcome,
  ServedBy,
  StreamedAnswer,
  WholeAnswer,
} from './gateway/gateway';
