import type { FleetView } from '../platform/fleet';
import type { Read } from './alarm';

/** What one policy asks for at one moment. */
export interface Proposals {
  /** More tasks than are ordered. */
  readonly out?: number;
  /** Fewer. */
  readonly in?: number;
}

/** One policy of Application Auto Scaling. */
export interface NativePolicy {
  readonly propose: (now: number, read: Read, fleet: FleetView) => Proposals;
  /** Told when the fleet was moved, by whichever policy. */
  readonly moved: (now: number, direction: 'out' | 'in') => void;
}

/** A policy without whose consent no policy of its kind takes tasks away. */
export interface TrackingPolicy extends NativePolicy {
  readonly agreesToScaleIn: () => boolean;
}

export const NOTHING: Proposals = {};
