import { config } from 'zod';

// Compiled checks need eval, which the page's policy forbids. Said before the first schema is made, hence a module of its own.
config({ jitless: true });
