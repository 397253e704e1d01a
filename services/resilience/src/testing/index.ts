export { settled, VirtualClock } from './virtual-clock';
