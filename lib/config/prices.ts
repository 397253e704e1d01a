/** On-demand prices in ap-northeast-1, US dollars, late 2026; for estimates on dashboards and in docs/deploy.md. */
const PRICES = {
  fargateVcpuHour: 0.05056,
  fargateGbHour: 0.00553,
} as const;

/** What one Fargate task costs in an hour. */
export function fargateTaskHour(cpuUnits: number, memoryMb: number): number {
  return (cpuUnits / 1_024) * PRICES.fargateVcpuHour + (memoryMb / 1_024) * PRICES.fargateGbHour;
}
