/**
 * Loaded into the gateway before its program: SIGUSR2 begins a CPU profile, the next one ends it and writes it
 * to the file that PROFILE_FILE names. The load that warms the program up stays outside.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const SAMPLING_MICROS = 250;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS });

let recording = false;

process.on('SIGUSR2', () => {
  recording = !recording;
  if (recording) {
    session.post('Profiler.start');
    return;
  }
  session.post('Profiler.stop', (error, { profile }) => {
    const file = process.env['PROFILE_FILE'];
    if (error !== null || file === undefined) return;
    writeFileSync(`${file}.tmp`, JSON.stringify(profile));
    renameSync(`${file}.tmp`, file);
  });
});
