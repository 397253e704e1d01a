export { Fifo, type Linked } from '@matsuri/resilience/core';
