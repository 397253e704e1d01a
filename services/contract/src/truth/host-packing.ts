import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, type Contradiction } from './contradiction';

type Hosts = PlatformConfiguration['fleet']['hosts'];

interface Packing {
  readonly label: string;
  readonly path: string;
  readonly hosts: Hosts;
}

/** The tasks meant for one instance fit its CPU, its memory and its network interfaces. */
export function hostPacking(configuration: PlatformConfiguration): readonly Contradiction[] {
  const providers: Packing[] = [
    { label: 'api', path: 'api.hosts', hosts: configuration.api.hosts },
    { label: 'worker', path: 'fleet.hosts', hosts: configuration.fleet.hosts },
  ];
  return providers.flatMap((it) => [
    ...cpu(it),
    ...softMemory(it),
    ...hardMemory(it),
    ...interfaces(it),
  ]);
}

function cpu({ label, path, hosts }: Packing): Contradiction[] {
  const { instance, task, tasksPerInstance } = hosts;
  const room = Math.floor(instance.cpuUnits / task.cpuUnits);
  if (tasksPerInstance <= room) return [];
  return [
    error(
      `${label}-cpu`,
      `${tasksPerInstance} tasks of ${task.cpuUnits} CPU units do not fit ${instance.type} ` +
        `(${figure(instance.cpuUnits)} units, room for ${room}): ECS never places the rest.`,
      `Set ${path}.tasksPerInstance to at most ${room}, or lower ${path}.task.cpuUnits.`,
    ),
  ];
}

function softMemory({ label, path, hosts }: Packing): Contradiction[] {
  const { instance, task, tasksPerInstance } = hosts;
  const usable = usableMemoryMb(hosts);
  const room = Math.floor(usable / task.memorySoftMb);
  if (tasksPerInstance <= room) return [];
  return [
    error(
      `${label}-memory-soft`,
      `${tasksPerInstance} tasks reserve ${figure(tasksPerInstance * task.memorySoftMb)} MB, ${instance.type} has ` +
        `${figure(usable)} MB after ${instance.reservedMemoryMb} MB for the system (room for ${room}): ECS never ` +
        'places the rest.',
      `Set ${path}.tasksPerInstance to at most ${room}, or lower ${path}.task.memorySoftMb.`,
    ),
  ];
}

function hardMemory({ label, path, hosts }: Packing): Contradiction[] {
  const { instance, task, tasksPerInstance } = hosts;
  const usable = usableMemoryMb(hosts);
  const room = Math.floor(usable / task.memoryHardMb);
  if (tasksPerInstance <= room) return [];
  return [
    error(
      `${label}-memory-hard`,
      `${tasksPerInstance} tasks may use ${figure(tasksPerInstance * task.memoryHardMb)} MB, ${instance.type} has ` +
        `${figure(usable)} MB (room for ${room}): if all grow, the host runs out and kills tasks that did nothing wrong.`,
      `Set ${path}.tasksPerInstance to at most ${room}, lower ${path}.task.memoryHardMb, or accept the over-commit ` +
        `with a reason under acknowledged['${label}-memory-hard'].`,
    ),
  ];
}

function interfaces({ label, path, hosts }: Packing): Contradiction[] {
  const { instance, networkMode, tasksPerInstance } = hosts;
  const room = instance.networkInterfaces - 1;
  if (networkMode === 'bridge' || tasksPerInstance <= room) return [];
  return [
    error(
      `${label}-network-interfaces`,
      `In awsvpc mode every task needs a network interface; ${instance.type} has ${instance.networkInterfaces}, one ` +
        `is the host's, so ${room} tasks fit instead of ${tasksPerInstance}.`,
      `Set ${path}.networkMode to bridge, or ${path}.tasksPerInstance to at most ${room}.`,
    ),
  ];
}

function usableMemoryMb({ instance }: Hosts): number {
  return instance.memoryMb - instance.reservedMemoryMb;
}
