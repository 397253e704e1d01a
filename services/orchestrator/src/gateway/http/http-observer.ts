/** Hears how requests went, to count it. */
export interface HttpObserver {
  responded(tookMs: number): void;
  clientLeft(): void;
}
