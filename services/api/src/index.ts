export { createApp, type AppOptions } from './app';
export { loadConfig, type Config } from './config';
