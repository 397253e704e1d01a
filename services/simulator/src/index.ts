export { simulateCommand, type EnvironmentLookup } from './command';
