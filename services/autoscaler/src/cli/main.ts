import { userInfo } from 'node:os';
import { runCommandLine } from './program';

void runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  nowMs: Date.now,
  user: () => userInfo().username,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
